import { isEmptySchema, wordsOf } from '../../schema/field-spec.ts'
import { readSchema } from '../../schema/read-schema.ts'
import type { AnalyzedSchema, SchemaRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ schema }: SchemaRequestMessage): RequestResult {
  const { spec, ignored } = readSchema(schema)
  const reply: AnalyzedSchema = { spec, ignored, words: wordsOf(spec), isEmpty: isEmptySchema(spec) }
  return { reply }
}
