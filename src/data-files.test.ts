import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ConsentWords } from './content/asks-for-consent.ts'
import type { BlockedNames } from './content/blocked-parts.ts'
import type { ForeignNames } from './content/clean-html.ts'
import { type ClassNames, says } from './content/markdown/class-words.ts'
import type { LanguageNames } from './content/markdown/language.ts'
import type { ConceptRow, ValueKind } from './reading/vocabulary/concepts.ts'
import type { Dimension, UnitRow } from './reading/vocabulary/units.ts'
import type { WordLists } from './reading/vocabulary/words.ts'
import type { MethodNames } from './remote-browser/cdp/allow-list.ts'

const distinct = <Entry>(entries: Entry[]) => new Set(entries).size === entries.length
const separated = (separator: string, word: RegExp) =>
  z
    .string()
    .refine((text) => text.split(separator).every((one) => word.test(one)), 'has a word of another form')
    .refine((text) => distinct(text.split(separator)), 'names a word twice')
const names = separated(' ', /^\S+$/)
const list = (entry: z.ZodString) => z.array(entry).min(1).refine(distinct, 'names an entry twice')
const lowerCase = z.string().regex(/^[^\p{Lu}]+$/u)
const kinds = [
  ...['text', 'name', 'date', 'time', 'duration', 'price', 'count', 'rating', 'measure', 'address'],
  ...['image', 'phone', 'email', 'code', 'steps', 'yes'],
] as [ValueKind]
const dimensions = [...['time', 'mass', 'length', 'area', 'volume', 'power', 'percent', 'money']] as [
  Dimension,
]
const places = z.strictObject({
  classes: list(z.string().regex(/^[\w-]+$/)),
  ids: list(z.string().regex(/^[\w-]+$/)),
  idPrefixes: list(z.string().regex(/^[\w-]+$/)),
})

const consentWords: z.ZodType<ConsentWords> = z.strictObject({
  ...{ topics: list(lowerCase), purposes: list(lowerCase), rejects: list(lowerCase) },
  ...{ accepts: list(lowerCase), excludes: list(lowerCase) },
})
const blockedNames: z.ZodType<BlockedNames> = z.strictObject({
  adPlaces: places,
  adHosts: list(z.string().regex(/^[a-z\d.-]+\.[a-z]+$/)),
  consentPlaces: places,
  likelyConsent: list(z.string().regex(/^[a-z]+(?:-[a-z]+)+$/)),
})
const foreignNames: z.ZodType<ForeignNames> = z.strictObject({
  tags: separated(' ', /^[a-z]+[A-Z][A-Za-z]*$/),
  attributes: separated(' ', /^[a-z]+[A-Z][A-Za-z]*$/),
})
const classNames: z.ZodType<ClassNames> = z.record(
  z.enum(Object.keys(says) as [keyof typeof says]),
  separated(' ', /^[a-z][a-z\d_-]*$/),
)
const languageNames: z.ZodType<LanguageNames> = z
  .record(z.string().regex(/^[a-z][a-z\d-]*$/), separated(' ', /^[^\sA-Z]*$/))
  .refine(
    (byName) => distinct(Object.entries(byName).flatMap((entry) => entry.join(' ').trim().split(' '))),
    'has a name of two languages',
  )
const concepts: z.ZodType<ConceptRow[]> = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z][A-Za-z\d]*$/),
      kind: z.enum(kinds),
      paths: separated(' ', /^(?:[A-Z]\w+:)?\w+(?:\.\w+)*$/),
      phrases: z.string().regex(/^[^\s,][^,]*(?:, [^\s,][^,]*)*$/),
    }),
  )
  .refine((rows) => distinct(rows.map(({ name }) => name)), 'names a concept twice')
const units: z.ZodType<UnitRow[]> = z
  .array(
    z.strictObject({
      of: z.enum(dimensions),
      size: z.number().min(0),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .exactOptional(),
      words: names,
    }),
  )
  .refine((rows) => distinct(rows.flatMap(({ words }) => words.split(' '))), 'has a word of two units')
const methodNames: z.ZodType<MethodNames> = z.record(
  z.string().regex(/^[A-Z]\w+$/),
  separated(' ', /^[a-z]\w+$/),
)

// Keys are checked by the compiler: the type of the lists is that of the file.
const wordLists: z.ZodType<Record<keyof WordLists, string>> = z.record(z.custom<keyof WordLists>(), names)

/** Every JSON file under `src/`, by its path. The readers do not check the shape at run time. */
const schemas: Record<string, z.ZodType> = {
  'content/blocked-names.json': blockedNames,
  'content/consent-words.json': consentWords,
  'content/foreign-names.json': foreignNames,
  'content/main-content/weights.json': z.looseObject({ features: z.array(z.string()) }),
  'content/markdown/class-words.json': classNames,
  'content/markdown/language-names.json': languageNames,
  'reading/vocabulary/concepts.json': concepts,
  'reading/vocabulary/units.json': units,
  'reading/vocabulary/word-lists.json': wordLists,
  'remote-browser/cdp/allowed-methods.json': methodNames,
  'search/docs/keywords.json': z.record(z.string().min(1), lowerCase),
}

describe('data files', () => {
  it('have a schema each', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.json')).sort()).toEqual(Object.keys(schemas).sort())
  })

  it.each(Object.entries(schemas))('match their schema: %s', (file, schema) => {
    const data: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
    expect(schema.safeParse(data).error?.issues ?? []).toEqual([])
  })
})
