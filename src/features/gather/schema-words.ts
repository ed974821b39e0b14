import type { FieldSpec } from '../../reading/schema/field-spec.ts'
import { readSchema } from '../../reading/schema/read-schema.ts'

const mostWords = 40

/** What a schema asks for, in words: by them pages are found where the caller gave none. */
export function wordsOfSchema(schema: unknown): string {
  const words = [...labels(readSchema(schema).spec)].flatMap((label) =>
    label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))]
    .slice(0, mostWords)
    .join(' ')
}

/** Whether a schema names nothing that could be read. Some clients send an empty one for what they cannot translate. */
export function asksForNothing(schema: unknown): boolean {
  const { spec } = readSchema(schema)
  if (spec.kind === 'object') return spec.fields.size === 0
  return spec.kind === 'any' && spec.choices === undefined && spec.label.description === ''
}

export const nothingAsked = 'The schema names no properties. Name those that shall be read.'

function* labels(spec: FieldSpec): Generator<string> {
  yield spec.label.name
  if (spec.kind === 'list') yield* labels(spec.item)
  if (spec.kind === 'object') for (const field of spec.fields.values()) yield* labels(field)
}
