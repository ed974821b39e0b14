import { z } from 'zod'
import type { PageMetadata } from '../../content/metadata.ts'
import { storedJson } from '../../store/stored-json.ts'
import { keptPicture } from './kept-picture.ts'

type Texts = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const named = ['title', 'description', 'language', 'keywords']
const isTextOrList = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))

// Each cache hit reads both of these. Functions, since a parser for each of their fields takes three times as long.
const metadata = z.custom<PageMetadata>(
  (value) =>
    isObject(value) &&
    Object.values(value).every(isTextOrList) &&
    named.every((name) => value[name] === undefined || isText(value[name])) &&
    !isText(value.ogLocaleAlternate),
  'texts and lists of texts expected',
)
const texts = z.custom<Record<string, string>>(
  (value) => isObject(value) && Object.values(value).every(isText),
  'texts expected',
)

const notes = z.object({
  /** Undefined where the page has to be read again for it. */
  metadata: metadata.optional(),
  /** What every reader of the page should know. */
  warnings: z.array(z.string()).default([]),
  /** Of the service: another release may read a page in another way. */
  version: z.string(),
  picture: keptPicture.optional(),
})

/** What was read of a page when it was fetched. */
export type PageNotes = Pick<WrittenNotes, 'metadata' | 'warnings'>
export type WrittenNotes = z.output<typeof notes>

export const storedNotes = storedJson({ table: 'pages', column: 'notes' }, notes)
export const storedHeaders = storedJson({ table: 'pages', column: 'headers' }, texts)
