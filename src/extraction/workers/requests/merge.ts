import { mergePages } from '../../merge/merge-pages.ts'
import { parseValues } from '../../merge/stored-page.ts'
import { readSchema } from '../../schema/read-schema.ts'
import type { MergeRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export async function run({ schema, pages }: MergeRequestMessage): Promise<Done> {
  const { spec } = readSchema(schema)
  return { done: await mergePages(spec, pages.map(parseValues)) }
}
