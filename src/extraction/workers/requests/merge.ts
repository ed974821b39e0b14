import { mergePages } from '../../merge/merge-pages.ts'
import { parseValues } from '../../merge/stored-page.ts'
import { readSchema } from '../../schema/read-schema.ts'
import type { MergeRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export async function run({ schema, pages }: MergeRequestMessage): Promise<RequestResult> {
  const { spec } = readSchema(schema)
  return { reply: await mergePages(spec, pages.map(parseValues)) }
}
