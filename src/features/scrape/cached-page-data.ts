import { z } from 'zod'
import type { PageMetadata } from '../../content/metadata.ts'
import type { CapturedFile, ScreenshotOptions } from '../../content/page.ts'
import { storedJson } from '../../store/stored-json.ts'

/** What is noted of a picture that is kept with its page. Its bytes stand behind those of the page. */
export const describeCachedScreenshot = z.object({
  fullPage: z.boolean(),
  quality: z.number().nullable(),
  mediaType: z.string(),
  size: z.number(),
})

export type CachedScreenshot = z.output<typeof describeCachedScreenshot>

export function describeScreenshot(file: CapturedFile, options: ScreenshotOptions): CachedScreenshot {
  return { ...shapeOf(options), mediaType: file.mediaType, size: file.bytes.length }
}

/** Whether a kept picture is the one that is asked for. The size of its window is part of the key of its page. */
export function isScreenshotFor(kept: CachedScreenshot | undefined, options: ScreenshotOptions): boolean {
  const { fullPage, quality } = shapeOf(options)
  return kept !== undefined && kept.fullPage === fullPage && kept.quality === quality
}

/** What was kept → the page, and the picture behind it. */
export function splitScreenshot(
  packed: Uint8Array,
  kept: CachedScreenshot | undefined,
): { page: Uint8Array; picture: CapturedFile | undefined } {
  if (!kept) return { page: packed, picture: undefined }
  const end = packed.length - kept.size
  const picture = { bytes: packed.subarray(end), mediaType: kept.mediaType }
  return { page: packed.subarray(0, end), picture }
}

function shapeOf({ fullPage, quality }: ScreenshotOptions): Pick<CachedScreenshot, 'fullPage' | 'quality'> {
  return { fullPage, quality: quality === undefined ? null : Math.round(quality) }
}

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
  picture: describeCachedScreenshot.optional(),
})

/** What was read of a page when it was fetched. */
export type CachedPageData = Pick<StoredPageData, 'metadata' | 'warnings'>
export type StoredPageData = z.output<typeof notes>

export const cachedPageDataColumn = storedJson({ table: 'pages', column: 'notes' }, notes)
export const storedHeaders = storedJson({ table: 'pages', column: 'headers' }, texts)
