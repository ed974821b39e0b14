import { z } from 'zod'
import type { TimeRange } from '../query/time-range.ts'
import { type Dialect, webDialect, writeQuery } from '../query/write-query.ts'
import { getJson, isoDay, requireKey, throwKnownError } from './calls.ts'
import { filterResults, maybeNumber, maybeText, type RawResult } from './normalize-results.ts'
import type { ProviderResponse, SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const pageSchema = z.object({
  url: z.string(),
  title: z.string(),
  description: maybeText,
  page_age: maybeText,
  thumbnail: z.object({ src: maybeText }).nullish().catch(undefined),
})
// A response without web results has no `web`; `type` shows that it is a search response.
const webSchema = z.object({
  type: z.literal('search'),
  web: z.object({ results: z.array(pageSchema) }).nullish(),
})
const newsSchema = z.object({ results: z.array(pageSchema) })
const imagesSchema = z.object({
  results: z.array(
    z.object({
      url: maybeText,
      title: maybeText,
      properties: z
        .object({ url: maybeText, width: maybeNumber, height: maybeNumber })
        .nullish()
        .catch(undefined),
    }),
  ),
})

// Brave does not support `inurl:`.
const dialect: Dialect = { ...webDialect, operators: ['site', 'filetype', 'intitle'] }
const maxCounts = { web: 20, images: 200, news: 50 }

export const brave: SearchProvider = {
  name: 'brave',
  description: 'The web, images and news in the index of Brave, by the Brave Search API.',
  base: 'https://api.search.brave.com',
  requires: 'key',
  serves: ['web', 'images', 'news'],
  abilities: { dialect, dates: 'any', country: true, language: true },
  // The smallest plan allows one request per second.
  pauseMs: 1000,
  maxResults: 20,
  call({ source, query, range, country, language, isSafe, limit, now }, endpoint) {
    const call = getJson(endpoint, `/res/v1/${source}/search`, {
      q: writeQuery(query, dialect).text,
      count: Math.min(limit, maxCounts[source]),
      // Brave rejects a request with an unsupported country or language.
      country: country === undefined || countries.has(country) ? country : 'ALL',
      search_lang: language === undefined || languages.has(language) ? language : otherCodes[language],
      safesearch: isSafe === undefined ? undefined : isSafe ? 'strict' : 'off',
      freshness: source === 'images' ? undefined : formatFreshness(range, now),
      ...(source === 'web' ? { result_filter: 'web', text_decorations: 'false' } : {}),
    })
    return { ...call, headers: { ...call.headers, 'x-subscription-token': requireKey(endpoint, 'Brave') } }
  },
  read(response, request) {
    throwKnownError(response, [
      { status: 422, bodyText: 'SUBSCRIPTION_TOKEN_INVALID', problem: 'unauthorized', message: badKey },
      // For a missing or malformed key, Brave reports a validation error of the header with this name.
      { status: 422, bodyText: 'x-subscription-token', problem: 'unauthorized', message: badKey },
    ])
    return filterResults(readResults(response, request.source), request, 'Brave')
  },
}

const badKey = 'Brave does not accept the key'

function readResults(response: ProviderResponse, source: keyof typeof maxCounts): RawResult[] {
  if (source === 'images') {
    const { results } = readJsonResponse(response, imagesSchema, 'Brave')
    return results.map(({ url, title, properties: image }) => ({
      ...{ url, title },
      ...{ imageUrl: image?.url, imageWidth: image?.width, imageHeight: image?.height },
    }))
  }
  const { results } =
    source === 'news'
      ? readJsonResponse(response, newsSchema, 'Brave')
      : (readJsonResponse(response, webSchema, 'Brave').web ?? { results: [] })
  return results.map(({ url, title, description, page_age, thumbnail }) => ({
    ...{ url, title, text: description, date: page_age },
    imageUrl: thumbnail?.src,
  }))
}

function formatFreshness({ from, to }: TimeRange, now: number): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const last = isoDay(to ?? now)
  return last && `${isoDay(from) ?? '1970-01-01'}to${last}`
}

const countries = new Set(
  (
    'AR AU AT BE BR CA CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE CH TR TW ' +
    'US ZA'
  ).split(' '),
)
const languages = new Set(
  (
    'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru ' +
    'sr sk sl es sv ta te th tr uk vi'
  ).split(' '),
)
const otherCodes: Record<string, string> = { ja: 'jp', no: 'nb', pt: 'pt-pt', zh: 'zh-hans' }
