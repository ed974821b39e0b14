import { isEmptySchema, wordsOf } from '../../schema/field-spec.ts'
import { readSchema } from '../../schema/read-schema.ts'
import type { SchemaFacts, SchemaRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ schema }: SchemaRequestMessage): Done {
  const { spec, ignored } = readSchema(schema)
  const done: SchemaFacts = { spec, ignored, words: wordsOf(spec), asksForNothing: isEmptySchema(spec) }
  return { done }
}
