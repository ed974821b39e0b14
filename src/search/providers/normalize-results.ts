import { decodeHTML } from 'entities'
import { z } from 'zod'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from './provider.ts'
import { dateOf, isWebUrl } from './read-response.ts'

export interface RawResult {
  url?: string | null | undefined
  title?: string | null | undefined
  text?: string | null | undefined
  publishedAt?: number | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

const maxResults = 250
const maxTextLength = 5000

/** A title is never empty. */
export function normalizeResults(rawResults: readonly RawResult[]): ProviderResult[] {
  const results = rawResults.slice(0, maxResults).flatMap((result) => toResult(result, 8192))
  return results.map((result) => ({ ...result, title: result.title || result.url }))
}

/** Results without a web URL are omitted. */
function toResult(
  { url, title, text, publishedAt, ...image }: RawResult,
  maxUrlLength: number,
): ProviderResult[] {
  if (!isWebUrl(url) || url.length > maxUrlLength) return []
  const { imageUrl, imageWidth, imageHeight } = image
  const hasImage = isWebUrl(imageUrl) && imageUrl.length <= maxUrlLength
  return [
    {
      ...{ url, title: cleanText(title, 500), text: cleanText(text, maxTextLength) },
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(hasImage ? { imageUrl } : {}),
      ...(hasImage && isPixelCount(imageWidth) ? { imageWidth } : {}),
      ...(hasImage && isPixelCount(imageHeight) ? { imageHeight } : {}),
    },
  ]
}

/** Tags that may occur inside a word, including those of journals (JATS). */
const inlineTags = /<\/?(?:span|a|b|i|em|strong|sub|sup|jats:(?:italic|bold|sub|sup))(?:\s[^<>]{0,500})?>/gi

export function withoutTags(html: string): string {
  const words = html.slice(0, 4 * maxTextLength).replace(inlineTags, '')
  return decodeHTML(words.replace(/<[^<>]{0,500}>/g, ' '))
}

/** The input may be longer, because white space is removed. */
function cleanText(text: string | null | undefined, maxLength: number): string {
  const words = (text ?? '').slice(0, 4 * maxLength).replace(/\s+/g, ' ')
  return words.trim().slice(0, maxLength).toWellFormed()
}

// Services send 0 for an unknown size.
function isPixelCount(pixels: number | null | undefined): pixels is number {
  return Number.isInteger(pixels) && Number(pixels) > 0
}

const minute = 60_000
const day = 1440 * minute
const units: Record<string, number> = {
  ...{ second: 1000, sec: 1000, minute, min: minute, hour: 60 * minute },
  ...{ day, week: 7 * day, month: 30 * day, year: 365 * day },
}
const relativeDate = /^(\d{1,4}) (second|sec|minute|min|hour|day|week|month|year)s? ago$/i
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const writtenDate =
  /^(?:[a-z]{3,9},? )?(?:[a-z]{3,9}\.? \d{1,2}, \d{4}|\d{1,2} [a-z]{3,9}\.? \d{4})(?: .{1,30})?$/i
const timeZone = /(?: (?:GMT|UTC|Z|[ECMP][SD]T)| ?[+-]\d{2}:?\d{2})$/i

/**
 * Parses a date as search services write it. Other texts are rejected, because `Date.parse` finds a year in most of
 * them. Without a time zone, the date is in UTC.
 */
export function readDate(text: string | null | undefined, now: number): number | undefined {
  const trimmed = (text ?? '').slice(0, 60).trim()
  const [, count = '', unit = ''] = relativeDate.exec(trimmed) ?? []
  if (unit !== '') return now - Number(count) * (units[unit.toLowerCase()] ?? 0)
  const isoParts = isoDate.exec(trimmed)
  if (isoParts) {
    const needsZone = trimmed.length > 10 && isoParts[1] === undefined
    return dateOf(`${trimmed.replace(' ', 'T')}${needsZone ? 'Z' : ''}`)
  }
  if (!writtenDate.test(trimmed)) return undefined
  return dateOf(timeZone.test(trimmed) ? trimmed : `${trimmed} UTC`)
}

/** Details that a result may lack, or have in another type, and still be valid. */
export const maybeText = z.string().nullish().catch(undefined)
export const maybeNumber = z.number().nullish().catch(undefined)

export function filterResults(
  rawResults: readonly RawResult[],
  { limit, now }: ProviderRequest,
  name: string,
): ProviderResult[] {
  // A list whose every result lacks a URL is not a list of results.
  if (rawResults.length > 0 && rawResults.every(({ url }) => typeof url !== 'string'))
    throw new ProviderFailure('changed', `${name} answered with results that have no address`)
  const dated = rawResults.map((result) => ({ ...result, publishedAt: readDate(result.date, now) }))
  return dated.flatMap((result) => toResult(result, 4096)).slice(0, limit)
}
