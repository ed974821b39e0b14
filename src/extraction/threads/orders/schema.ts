import { asksForNothing, wordsOf } from '../../schema/field-spec.ts'
import { readSchema } from '../../schema/read-schema.ts'
import type { SchemaFacts, SchemaOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ schema }: SchemaOrder): Done {
  const { spec, ignored } = readSchema(schema)
  const done: SchemaFacts = { spec, ignored, words: wordsOf(spec), asksForNothing: asksForNothing(spec) }
  return { done }
}
