import { mergePages } from '../../reading/merge/merge-pages.ts'
import { parseValues } from '../../reading/merge/stored-page.ts'
import { readSchema } from '../../reading/schema/read-schema.ts'
import type { MergingOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export async function run({ schema, pages }: MergingOrder): Promise<Done> {
  const { spec } = readSchema(schema)
  return { done: await mergePages(spec, pages.map(parseValues)) }
}
