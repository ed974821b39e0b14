import { z } from 'zod'
import type { PageMetadata } from '../../content/metadata.ts'
import type { CapturedFile, ScreenshotOptions } from '../../content/page.ts'
import { storedJson } from '../../store/stored-json.ts'

/** Description of a screenshot that is cached with its page. Its bytes follow the page bytes in the same blob. */
export const cachedScreenshot = z.object({
  fullPage: z.boolean(),
  quality: z.number().nullable(),
  mediaType: z.string(),
  size: z.number(),
})

export type CachedScreenshot = z.output<typeof cachedScreenshot>

export function describeScreenshot(file: CapturedFile, options: ScreenshotOptions): CachedScreenshot {
  return { ...shapeOf(options), mediaType: file.mediaType, size: file.bytes.length }
}

/** Returns true if the cached screenshot matches the requested options. The viewport size is part of the cache key. */
export function isScreenshotFor(cached: CachedScreenshot | undefined, options: ScreenshotOptions): boolean {
  const { fullPage, quality } = shapeOf(options)
  return cached !== undefined && cached.fullPage === fullPage && cached.quality === quality
}

/** Splits the stored bytes into the page and the screenshot that follows it. */
export function splitScreenshot(
  packed: Uint8Array,
  cached: CachedScreenshot | undefined,
): { page: Uint8Array; screenshot: CapturedFile | undefined } {
  if (!cached) return { page: packed, screenshot: undefined }
  const end = packed.length - cached.size
  const screenshot = { bytes: packed.subarray(end), mediaType: cached.mediaType }
  return { page: packed.subarray(0, end), screenshot }
}

function shapeOf({ fullPage, quality }: ScreenshotOptions): Pick<CachedScreenshot, 'fullPage' | 'quality'> {
  return { fullPage, quality: quality === undefined ? null : Math.round(quality) }
}

type UnknownRecord = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textFields = ['title', 'description', 'language', 'keywords']
const isTextOrList = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))

// Each cache hit parses both values. Hand-written checks are three times as fast as a parser for each field.
const metadata = z.custom<PageMetadata>(
  (value) =>
    isObject(value) &&
    Object.values(value).every(isTextOrList) &&
    textFields.every((name) => value[name] === undefined || isText(value[name])) &&
    !isText(value.ogLocaleAlternate),
  'texts and lists of texts expected',
)
const texts = z.custom<Record<string, string>>(
  (value) => isObject(value) && Object.values(value).every(isText),
  'texts expected',
)

const pageData = z.object({
  /** Metadata; undefined if it must be extracted from the page again. */
  metadata: metadata.optional(),
  /** Warnings about the page, which every response contains. */
  warnings: z.array(z.string()).default([]),
  /** Version of the service. Another version may extract other metadata. */
  version: z.string(),
  picture: cachedScreenshot.optional(),
})

/** Data that was extracted when the page was fetched. */
export type CachedPageData = Pick<StoredPageData, 'metadata' | 'warnings'>
export type StoredPageData = z.output<typeof pageData>

export const cachedPageDataColumn = storedJson({ table: 'pages', column: 'notes' }, pageData)
export const storedHeaders = storedJson({ table: 'pages', column: 'headers' }, texts)
