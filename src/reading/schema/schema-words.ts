import type { FieldSpec } from './field-spec.ts'

const mostWords = 40

/** The words of the names in a schema. Pages are found by them if the caller gave neither addresses nor a prompt. */
export function wordsOf(spec: FieldSpec): string {
  const words = [...names(spec)].flatMap((name) =>
    name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))]
    .slice(0, mostWords)
    .join(' ')
}

/** True if a schema names nothing that could be read. Some clients send an empty one for what they cannot translate. */
export function asksForNothing(spec: FieldSpec): boolean {
  if (spec.kind === 'object') return spec.fields.size === 0
  return spec.kind === 'any' && spec.choices === undefined && spec.label.description === ''
}

function* names(spec: FieldSpec): Generator<string> {
  yield spec.label.name
  if (spec.kind === 'list') yield* names(spec.item)
  if (spec.kind === 'object') for (const field of spec.fields.values()) yield* names(field)
}
