import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { storedShape } from './stored-shape.ts'

const word = z.string().min(3).max(5)
const request = z.strictObject({
  word,
  words: z.array(word).max(2).default([]),
  byName: z.record(z.string(), word).optional(),
  count: z.int().max(9).nullable(),
  mode: z.enum(['slow', 'fast']).default('slow'),
  either: z.union([z.boolean(), z.strictObject({ deep: word })]).optional(),
  entry: z
    .union([
      z.enum(['a', 'b']).transform((type) => ({ type, size: 1 })),
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('a'), size: z.int().max(9) }),
        z.looseObject({ type: z.literal('b') }).transform(({ type }) => ({ type, size: 1 })),
      ]),
    ])
    .optional(),
  renamed: z
    .union([z.strictObject({ old: word }), z.strictObject({ word })])
    .transform((given) => ('old' in given ? { word: given.old } : given))
    .optional(),
  trimmed: z.preprocess((text) => String(text).trim(), word).optional(),
})
const stored = storedShape(request)
const least = { word: 'word', count: null }

describe('the shape of a stored request', () => {
  it.each([
    ['the least', least],
    [
      'everything',
      { ...least, words: ['word'], byName: { a: 'word' }, count: 3, mode: 'fast', either: true },
    ],
    ['shorthands', { ...least, either: { deep: 'word' }, entry: 'a', trimmed: ' word ' }],
    ['a member that stands for another', { ...least, renamed: { old: 'word' } }],
    ['an object that was cut down', { ...least, entry: { type: 'b', other: 1 } }],
  ])('takes what a request was read into as it is: %s', (_, given) => {
    const read = request.parse(given)
    expect(stored.parse(JSON.parse(JSON.stringify(read)))).toEqual(read)
  })

  it('fills in what was added since', () => {
    expect(stored.parse(least)).toEqual({ ...least, words: [], mode: 'slow' })
  })

  it('makes a default anew each time', () => {
    expect(stored.parse(least).words).not.toBe(stored.parse(least).words)
  })

  it('keeps what it does not know, at every depth', () => {
    const newer = { ...least, words: [], mode: 'slow', other: 1, either: { deep: 'word', other: 2 } }
    expect(stored.parse(newer)).toEqual(newer)
  })

  it('does not ask for the rules that callers keep', () => {
    const older = { word: 'longer than five', count: 99.5, words: ['a', 'b', 'c'], mode: 'slow' }
    expect(stored.parse(older)).toEqual(older)
  })

  it.each([
    ['a missing field', { count: null }],
    ['another type', { ...least, words: 'word' }],
    ['another word', { ...least, mode: 'none' }],
    ['another type inside', { ...least, byName: { a: 1 } }],
    ['a shorthand, which was read into an object', { ...least, entry: 'a' }],
    ['an unknown member', { ...least, entry: { type: 'c' } }],
  ])('refuses %s', (_, given) => {
    expect(stored.safeParse(given).success).toBe(false)
  })

  it.each([
    ['turns words into others', z.string().transform((text) => text.length)],
    ['has a type that JSON has not', z.date()],
  ])('cannot be derived from a schema that %s', (_, schema) => {
    expect(() => storedShape(schema)).toThrow('It is not known')
  })
})
