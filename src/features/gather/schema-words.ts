import { readSchema } from '../../reading/schema/read-schema.ts'
import type { Wish } from '../../reading/schema/wish.ts'

const mostWords = 40

/** What a schema asks for, in words: by them pages are found where the caller gave none. */
export function wordsOfSchema(schema: unknown): string {
  const words = [...labels(readSchema(schema).wish)].flatMap((label) =>
    label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))]
    .slice(0, mostWords)
    .join(' ')
}

/** Whether a schema names nothing that could be read. Some clients send an empty one for what they cannot translate. */
export function asksForNothing(schema: unknown): boolean {
  const { wish } = readSchema(schema)
  if (wish.kind === 'object') return wish.fields.size === 0
  return wish.kind === 'any' && wish.choices === undefined && wish.label.description === ''
}

export const nothingAsked = 'The schema names no properties. Name those that shall be read.'

function* labels(wish: Wish): Generator<string> {
  yield wish.label.name
  if (wish.kind === 'list') yield* labels(wish.item)
  if (wish.kind === 'object') for (const field of wish.fields.values()) yield* labels(field)
}
