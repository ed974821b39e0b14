import { readdirSync, readFileSync } from 'node:fs'
import { normalizeEncoding } from '@exodus/bytes/encoding.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { UnsupportedFeature } from './api/unsupported-routes.ts'
import type { BlockedNames } from './content/blocked-parts.ts'
import type { ForeignNames } from './content/clean-html.ts'
import type { ConsentWords } from './content/consent-dialog.ts'
import { featureNames } from './content/main-content/features.ts'
import type { GeneratorNames } from './content/main-content/generator-parts.ts'
import type { Weights } from './content/main-content/model.ts'
import { type ClassNames, classMeanings } from './content/markdown/class-name-rules.ts'
import type { LanguageNames } from './content/markdown/language.ts'
import type { TexCommands } from './content/markdown/mathml.ts'
import type { Charsets } from './documents/charset.ts'
import type { ConceptRow, ValueKind } from './extraction/vocabulary/concepts.ts'
import type { Dimension, UnitRow } from './extraction/vocabulary/units.ts'
import type { WordLists } from './extraction/vocabulary/words.ts'
import type { MethodNames } from './sessions/cdp/allow-list.ts'

const isDistinct = <Entry>(entries: Entry[]) => new Set(entries).size === entries.length
const separatedWords = (separator: string, word: RegExp) =>
  z
    .string()
    .refine((text) => text.split(separator).every((entry) => word.test(entry)), 'has a word of another form')
    .refine((text) => isDistinct(text.split(separator)), 'names a word twice')
const names = separatedWords(' ', /^\S+$/)
const list = (entry: z.ZodString) => z.array(entry).min(1).refine(isDistinct, 'names an entry twice')
const lowerCaseText = z.string().regex(/^[^\p{Lu}]+$/u)
const kinds = [
  ...['text', 'name', 'date', 'time', 'duration', 'price', 'count', 'rating', 'measure', 'address'],
  ...['image', 'phone', 'email', 'code', 'steps', 'yes'],
] as [ValueKind]
const dimensions = [...['time', 'mass', 'length', 'area', 'volume', 'power', 'percent', 'money']] as [
  Dimension,
]
const elementNames = z.strictObject({
  classes: list(z.string().regex(/^[\w-]+$/)),
  ids: list(z.string().regex(/^[\w-]+$/)),
  idPrefixes: list(z.string().regex(/^[\w-]+$/)),
})

const consentWords: z.ZodType<ConsentWords> = z.strictObject({
  ...{ topics: list(lowerCaseText), purposes: list(lowerCaseText), rejects: list(lowerCaseText) },
  ...{ accepts: list(lowerCaseText), excludes: list(lowerCaseText) },
})
const blockedNames: z.ZodType<BlockedNames> = z.strictObject({
  adContainers: elementNames,
  adHosts: list(z.string().regex(/^[a-z\d.-]+\.[a-z]+$/)),
  consentContainers: elementNames,
  likelyConsent: list(z.string().regex(/^[a-z]+(?:-[a-z]+)+$/)),
})
const foreignNames: z.ZodType<ForeignNames> = z.strictObject({
  tags: separatedWords(' ', /^[a-z]+[A-Z][A-Za-z]*$/),
  attributes: separatedWords(' ', /^[a-z]+[A-Z][A-Za-z]*$/),
})
const classNames: z.ZodType<ClassNames> = z.record(
  z.enum(Object.keys(classMeanings) as [keyof typeof classMeanings]),
  separatedWords(' ', /^[a-z][a-z\d_-]*$/),
)
const languageNames: z.ZodType<LanguageNames> = z
  .record(z.string().regex(/^[a-z][a-z\d-]*$/), separatedWords(' ', /^[^\sA-Z]*$/))
  .refine(
    (byName) => isDistinct(Object.entries(byName).flatMap((entry) => entry.join(' ').trim().split(' '))),
    'has a name of two languages',
  )
const concepts: z.ZodType<ConceptRow[]> = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z][A-Za-z\d]*$/),
      kind: z.enum(kinds),
      paths: separatedWords(' ', /^(?:[A-Z]\w+:)?\w+(?:\.\w+)*$/),
      phrases: z.string().regex(/^[^\s,][^,]*(?:, [^\s,][^,]*)*$/),
    }),
  )
  .refine((rows) => isDistinct(rows.map(({ name }) => name)), 'names a concept twice')
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
  .refine((rows) => isDistinct(rows.flatMap(({ words }) => words.split(' '))), 'has a word of two units')
const methodNames: z.ZodType<MethodNames> = z.record(
  z.string().regex(/^[A-Z]\w+$/),
  separatedWords(' ', /^[a-z]\w+$/),
)

const base64 = z.base64().min(1)
const weights: z.ZodType<Weights> = z.looseObject({
  ...{ names: base64, words: base64, roots: base64, splits: base64, values: base64, rights: base64 },
  features: z
    .array(z.string())
    .refine((features) => features.join() === featureNames.join(), 'are other features'),
})

// Keys are checked by the compiler: the type of the lists is the type of the file.
const wordLists: z.ZodType<Record<keyof WordLists, string>> = z.record(z.custom<keyof WordLists>(), names)

const byte = z.int().min(0x30).max(0xff)
const byteRange = z.tuple([byte, byte]).refine(([from, to]) => from <= to, 'ends before it begins')
const encoding = z.string().refine((label) => normalizeEncoding(label) !== null, 'is not an encoding')
const charsets: z.ZodType<Charsets> = z.strictObject({
  pairs: z.array(
    z.strictObject({
      ...{
        name: encoding,
        lead: z.array(byteRange),
        trail: z.array(byteRange),
        single: byteRange.exactOptional(),
      },
      ...{
        common: z.array(z.strictObject({ lead: byteRange, trail: byteRange })),
        requires: byteRange.exactOptional(),
      },
    }),
  ),
  alphabets: z.array(
    z.strictObject({
      ...{
        encodings: list(encoding),
        letters: z.string().min(1),
        frequent: z.string().min(1).exactOptional(),
      },
    }),
  ),
})
const texCommands: z.ZodType<TexCommands> = z.strictObject({
  accents: z.record(z.string(), z.string().regex(/^\\[a-z]+$/)),
  signs: z.record(z.string().regex(/^.$/u), z.string().regex(/^(?:\\[A-Za-z]+ |\\.|-|)$/)),
})
const pairs = separatedWords(' ', /^[^\s:]+:[^\s:]+$/)
const generators: z.ZodType<GeneratorNames[]> = z.array(
  z.strictObject({
    ...{
      mark: z.string().regex(/^[\w-]+$/),
      boilerplate: names.exactOptional(),
      content: names.exactOptional(),
    },
    ...{
      shownIn: pairs.exactOptional(),
      hiddenIn: pairs.exactOptional(),
      isReference: z.boolean().exactOptional(),
    },
  }),
)
const unsupportedFeature: z.ZodType<UnsupportedFeature> = z.strictObject({
  ...{ name: z.string().min(1), instead: z.string().regex(/\.$/) },
  routes: list(z.string().regex(/^[A-Z]+(?:,[A-Z]+)* \/\S*$/)),
})
const sentence = z.string().regex(/^\S.*\.$/)
const code = z.string().regex(/^[A-Z][A-Z\d_]*$/)

/**
 * Schema of every JSON file under `src/`, by its path. The code that reads the files does not check them at run time.
 */
const schemas: Record<string, z.ZodType> = {
  'platform/sandbox/system-calls.json': z
    .record(
      z.enum(['x64', 'arm64']),
      z.strictObject({
        architecture: z.int(),
        inspected: z.record(
          z.enum(['ptrace', 'clone', 'clone3', 'socket', 'unshare', 'setsockopt']),
          z.int(),
        ),
        denied: z.record(z.string(), z.int()),
      }),
    )
    .refine(({ x64, arm64 }) => `${Object.keys(x64.denied)}` === `${Object.keys(arm64.denied)}`),
  'platform/bounds.json': z.record(
    code,
    z.strictObject({ most: z.int().positive(), unit: z.string().regex(/^[a-z]+$/), of: sentence }),
  ),
  'platform/error-table.json': z.record(
    code,
    z.strictObject({ status: z.int().min(400).max(599), message: sentence }),
  ),
  'browser/countries.json': z.record(
    z.string().regex(/^[A-Z]{2}$/),
    z.strictObject({
      language: z.string().regex(/^[a-z]{2}-[A-Z]{2}$/),
      timeZone: z.string().refine(isTimeZone),
    }),
  ),
  'content/blocked-names.json': blockedNames,
  'content/consent-words.json': consentWords,
  'content/foreign-names.json': foreignNames,
  'content/main-content/generators.json': generators,
  'content/main-content/weights.json': weights,
  'content/markdown/class-name-rules.json': classNames,
  'content/markdown/language-names.json': languageNames,
  'content/markdown/tex-commands.json': texCommands,
  'content/meta-keys.json': z.record(
    z.enum(['addresses', 'texts']),
    z.record(z.string().regex(/^[a-z._:]+$/), z.string().regex(/^[a-z][A-Za-z]+$/)),
  ),
  'documents/charsets.json': charsets,
  'extraction/formats/asked-fields.json': z.looseObject({ type: z.literal('object') }),
  'api/absent-features.json': z.record(z.enum(['v1', 'v2']), z.array(unsupportedFeature)),
  'extraction/page-parts/product/field-names.json': z.record(z.string(), list(z.string().regex(/^\w+$/))),
  'extraction/text/small-words.json': z.record(z.string().regex(/^[a-z]{2}$/), names),
  'extraction/vocabulary/concepts.json': concepts,
  'extraction/vocabulary/units.json': units,
  'extraction/vocabulary/word-lists.json': wordLists,
  'sessions/cdp/allowed-methods.json': methodNames,
  'search/docs/keywords.json': z.record(z.string().min(1), lowerCaseText),
}

function isTimeZone(timeZone: string): boolean {
  return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
}

describe('data files', () => {
  it('each have a schema', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.json')).sort()).toEqual(Object.keys(schemas).sort())
  })

  it.each(Object.entries(schemas))('match their schema: %s', (file, schema) => {
    const data: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
    expect(schema.safeParse(data).error?.issues ?? []).toEqual([])
  })
})
