import { decodeHTML } from 'entities'
import { z } from 'zod'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from './provider.ts'
import { isWebAddress } from './read-response.ts'

/** What an answer says of a result, as it stands there. */
export interface Said {
  url: string | null | undefined
  title: string | null | undefined
  text?: string | null | undefined
  publishedAt?: number | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

const maxResults = 250
const maxAddressLength = 8192
const maxTitleLength = 500
const mostOfText = 5000

/** Results of known shape and size; what has no address on the web is left out, and a title is never empty. */
export function normalizeResults(said: readonly Said[]): ProviderResult[] {
  return said.slice(0, maxResults).flatMap((one) => {
    const { url, title, text, publishedAt, imageUrl, imageWidth, imageHeight } = one
    if (!isWebAddress(url) || url.length > maxAddressLength) return []
    const hasImage = isWebAddress(imageUrl) && imageUrl.length <= maxAddressLength
    return {
      url,
      title: tidy(title ?? '', maxTitleLength) || url,
      text: tidy(text ?? '', mostOfText),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(hasImage ? { imageUrl } : {}),
      ...(isLength(imageWidth) ? { imageWidth } : {}),
      ...(isLength(imageHeight) ? { imageHeight } : {}),
    }
  })
}

/** Tags that may stand inside a word; JATS, the markup of journals, has its own names for them. */
const insideWords = /<\/?(?:span|a|b|i|em|strong|sub|sup|jats:(?:italic|bold|sub|sup))(?:\s[^<>]{0,500})?>/gi

/** The words of a text with tags and character references. */
export function withoutTags(html: string): string {
  const words = html.slice(0, 4 * mostOfText).replace(insideWords, '')
  return decodeHTML(words.replace(/<[^<>]{0,500}>/g, ' '))
}

/** Before it is tidied a text may be longer, as white space goes. */
function tidy(text: string, most: number): string {
  return text
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
}

const minute = 60_000
const day = 1440 * minute
const units: Record<string, number> = {
  ...{ second: 1000, sec: 1000, minute, min: minute, hour: 60 * minute },
  ...{ day, week: 7 * day, month: 30 * day, year: 365 * day },
}
const ago = /^(\d{1,4}) (second|sec|minute|min|hour|day|week|month|year)s? ago$/i
const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const inWords =
  /^(?:[a-z]{3,9},? )?(?:[a-z]{3,9}\.? \d{1,2}, \d{4}|\d{1,2} [a-z]{3,9}\.? \d{4})(?: .{1,30})?$/i
const zone = /(?: (?:GMT|UTC|Z|[ECMP][SD]T)| ?[+-]\d{2}:?\d{2})$/i

/**
 * A date as search services write it: ISO 8601, `Jan 5, 2025`, as in mail, or `3 hours ago`. Other texts are none:
 * `Date.parse` finds a year in most of them. Without a time zone it is UTC, not that of this machine.
 */
export function readDate(text: string | null | undefined, now: number): number | undefined {
  const trimmed = (text ?? '').slice(0, 60).trim()
  const [, count = '', unit = ''] = ago.exec(trimmed) ?? []
  if (unit !== '') return now - Number(count) * (units[unit.toLowerCase()] ?? 0)
  const isoParts = iso.exec(trimmed)
  if (isoParts) {
    const needsZone = trimmed.length > 10 && isoParts[1] === undefined
    return parsed(`${trimmed.replace(' ', 'T')}${needsZone ? 'Z' : ''}`)
  }
  if (!inWords.test(trimmed)) return undefined
  return parsed(zone.test(trimmed) ? trimmed : `${trimmed} UTC`)
}

function parsed(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

const longest = { url: 4096, title: 500, text: 5000 }

/** Details that a result may lack, or have in another form, without being worthless. */
export const maybeText = z.string().nullish().catch(undefined)
export const maybeNumber = z.number().nullish().catch(undefined)

/** A result as it is read from an answer. */
export interface GivenResult {
  url?: string | null | undefined
  title?: string | null | undefined
  text?: string | null | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

/** The results that have an address of the web, within bounds. */
export function filterResults(
  given: readonly GivenResult[],
  { most, now }: ProviderRequest,
  name: string,
): ProviderResult[] {
  // A list whose every result lacks an address is not a list of results any more.
  if (given.length > 0 && given.every(({ url }) => typeof url !== 'string'))
    throw new ProviderFailure('changed', `${name} answered with results that have no address`)
  return given.flatMap((result) => keepResult(result, now)).slice(0, most)
}

function keepResult({ url, title, text, date, ...image }: GivenResult, now: number): ProviderResult[] {
  if (!isWebAddress(url) || url.length > longest.url) return []
  const publishedAt = readDate(date, now)
  return [
    {
      url,
      title: bounded(title, longest.title),
      text: bounded(text, longest.text),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...keepImage(image),
    },
  ]
}

type ImagePart = 'imageUrl' | 'imageWidth' | 'imageHeight'

function keepImage({ imageUrl, imageWidth, imageHeight }: Pick<GivenResult, ImagePart>) {
  if (!isWebAddress(imageUrl) || imageUrl.length > longest.url) return {}
  return {
    imageUrl,
    ...(isLength(imageWidth) ? { imageWidth } : {}),
    ...(isLength(imageHeight) ? { imageHeight } : {}),
  }
}

// Services write 0 where they do not know.
function isLength(pixels: number | null | undefined): pixels is number {
  return Number.isInteger(pixels) && Number(pixels) > 0
}

function bounded(text: string | null | undefined, most: number): string {
  return (text ?? '').slice(0, most).toWellFormed().replace(/\s+/g, ' ').trim()
}
