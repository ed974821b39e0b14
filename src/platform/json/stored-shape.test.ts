import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { storedShape } from './stored-shape.ts'

const shortText = z.string().min(3).max(5)
const request = z.strictObject({
  word: shortText,
  words: z.array(shortText).max(2).default([]),
  byName: z.record(z.string(), shortText).optional(),
  count: z.int().max(9).nullable(),
  mode: z.enum(['slow', 'fast']).default('slow'),
  either: z.union([z.boolean(), z.strictObject({ deep: shortText })]).optional(),
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
    .union([z.strictObject({ old: shortText }), z.strictObject({ word: shortText })])
    .transform((value) => ('old' in value ? { word: value.old } : value))
    .optional(),
  trimmed: z.preprocess((text) => String(text).trim(), shortText).optional(),
})
const stored = storedShape(request)
const minimal = { word: 'word', count: null }

describe('storedShape', () => {
  it.each([
    ['the least', minimal],
    [
      'everything',
      { ...minimal, words: ['word'], byName: { a: 'word' }, count: 3, mode: 'fast', either: true },
    ],
    ['shorthands', { ...minimal, either: { deep: 'word' }, entry: 'a', trimmed: ' word ' }],
    ['a member that stands for another', { ...minimal, renamed: { old: 'word' } }],
    ['an object that was cut down', { ...minimal, entry: { type: 'b', other: 1 } }],
  ])('accepts a parsed request unchanged: %s', (_, value) => {
    const parsed = request.parse(value)
    expect(stored.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
  })

  it('fills in defaults of fields that were added later', () => {
    expect(stored.parse(minimal)).toEqual({ ...minimal, words: [], mode: 'slow' })
  })

  it('creates a new default value for each parse', () => {
    expect(stored.parse(minimal).words).not.toBe(stored.parse(minimal).words)
  })

  it('keeps unknown keys at every depth', () => {
    const newer = { ...minimal, words: [], mode: 'slow', other: 1, either: { deep: 'word', other: 2 } }
    expect(stored.parse(newer)).toEqual(newer)
  })

  it('does not apply the validation rules for callers', () => {
    const older = { word: 'longer than five', count: 99.5, words: ['a', 'b', 'c'], mode: 'slow' }
    expect(stored.parse(older)).toEqual(older)
  })

  it.each([
    ['a missing field', { count: null }],
    ['another type', { ...minimal, words: 'word' }],
    ['another word', { ...minimal, mode: 'none' }],
    ['another type inside', { ...minimal, byName: { a: 1 } }],
    ['a shorthand, which was read into an object', { ...minimal, entry: 'a' }],
    ['an unknown member', { ...minimal, entry: { type: 'c' } }],
  ])('rejects %s', (_, value) => {
    expect(stored.safeParse(value).success).toBe(false)
  })

  it.each([
    ['turns words into others', z.string().transform((text) => text.length)],
    ['has a type that JSON has not', z.date()],
  ])('throws for a schema that %s', (_, schema) => {
    expect(() => storedShape(schema)).toThrow('It is not known')
  })
})
