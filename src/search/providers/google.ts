import { z } from 'zod'
import type { TimeRange } from '../query/time-range.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { daysSince, getJson, isoDay, requireKey, throwKnownError } from './calls.ts'
import { filterResults, maybeNumber, maybeText } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const metatags = z.array(z.object({ 'article:published_time': z.string().optional().catch(undefined) }))
// A response without results has no `items`; `kind` shows that it is a search response.
const responseSchema = z.object({
  kind: z.literal('customsearch#search'),
  items: z
    .array(
      z.object({
        link: z.string(),
        title: z.string(),
        snippet: maybeText,
        image: z
          .object({ contextLink: maybeText, width: maybeNumber, height: maybeNumber })
          .nullish()
          .catch(undefined),
        pagemap: z.object({ metatags }).nullish().catch(undefined),
      }),
    )
    .optional(),
})

export const google: SearchProvider = {
  name: 'google',
  description:
    'The web and images in a Programmable Search Engine of Google; the key has the form KEY:CX, of an API key and the ID of the engine.',
  base: 'https://www.googleapis.com',
  requires: 'key',
  serves: ['web', 'images'],
  abilities: { dialect: webDialect, dates: 'any', sortsByDate: true, country: true, language: true },
  // Google allows a hundred queries per minute.
  pauseMs: 600,
  maxResults: 10,
  call({ source, query, range, country, language, isSafe, limit, now }, endpoint) {
    const { key, engine } = splitKey(requireKey(endpoint, 'Google'))
    return getJson(endpoint, '/customsearch/v1', {
      ...{ key, cx: engine },
      q: writeQuery(query, this.abilities.dialect).text,
      num: Math.min(limit, 10),
      searchType: source === 'images' ? 'image' : undefined,
      gl: country?.toLowerCase(),
      hl: language,
      lr: language === undefined ? undefined : `lang_${otherCodes[language] ?? language}`,
      safe: isSafe === undefined ? undefined : isSafe ? 'active' : 'off',
      dateRestrict:
        range.from === undefined || range.to !== undefined ? undefined : `d${daysSince(range.from, now)}`,
      sort: buildSort(range),
    })
  },
  read(response, request) {
    throwKnownError(response, [
      { status: 400, bodyText: 'API key not valid', problem: 'unauthorized', message: badKey },
      { status: 400, bodyText: 'API_KEY_INVALID', problem: 'unauthorized', message: badKey },
      { status: 403, bodyText: 'imitExceeded', problem: 'rate-limited', message: noQuota },
      { status: 403, bodyText: 'quotaExceeded', problem: 'rate-limited', message: noQuota },
      { status: 403, bodyText: 'accessNotConfigured', problem: 'unauthorized', message: notEnabled },
      { status: 403, bodyText: 'PERMISSION_DENIED', problem: 'unauthorized', message: notEnabled },
    ])
    const { items = [] } = readJsonResponse(response, responseSchema, 'Google')
    const rawResults = items.map(({ link, title, snippet, image, pagemap }) => ({
      ...{ title, text: snippet, date: pagemap?.metatags[0]?.['article:published_time'] },
      ...(image
        ? { url: image.contextLink, imageUrl: link, imageWidth: image.width, imageHeight: image.height }
        : { url: link }),
    }))
    return filterResults(rawResults, request, 'Google')
  },
}

const badKey = 'Google does not accept the key'
const noQuota = 'Google has no queries left for this key'
const notEnabled = 'Google does not let this key use the Custom Search API'

const otherCodes: Record<string, string> = { zh: 'zh-CN', nb: 'no', he: 'iw' }

/** The ID of an engine may contain a colon: `KEY:012345:abcde`. */
function splitKey(text: string): { key: string; engine: string } {
  const colon = text.indexOf(':')
  if (colon > 0 && colon < text.length - 1)
    return { key: text.slice(0, colon), engine: text.slice(colon + 1) }
  throw new ProviderFailure('unauthorized', 'Google needs a key of the form KEY:CX')
}

/** `dateRestrict` only reaches back from today, so `sort` restricts a range that ends earlier. */
function buildSort({ from, to, isNewestFirst }: TimeRange): string | undefined {
  const compact = (isoDate: string) => isoDate.replaceAll('-', '')
  const last = isoDay(to)
  const range = last === undefined ? '' : `date:r:${compact(isoDay(from) ?? '1970-01-01')}:${compact(last)}`
  return [range, isNewestFirst ? 'date' : ''].filter(Boolean).join(',') || undefined
}
