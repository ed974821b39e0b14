import { z } from 'zod'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, googleTbs, requireKey, throwKnownError } from './calls.ts'
import { filterResults, maybeNumber, maybeText, type RawResult } from './normalize-results.ts'
import type { ProviderRequest, ProviderResponse, SearchProvider, SearchSource } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const pageSchema = z.object({
  ...{ link: z.string(), title: z.string(), snippet: maybeText, date: maybeText, imageUrl: maybeText },
})
const imageSchema = z.object({
  ...{ link: z.string(), title: maybeText, imageUrl: maybeText },
  ...{ imageWidth: maybeNumber, imageHeight: maybeNumber },
})
const webSchema = z.object({ organic: z.array(pageSchema) })
const newsSchema = z.object({ news: z.array(pageSchema) })
const imagesSchema = z.object({ images: z.array(imageSchema) })

const paths = { web: '/search', images: '/images', news: '/news' }

export const serper: SearchProvider = {
  name: 'serper',
  description: 'Results of Google for the web, images and news, by Serper.dev.',
  base: 'https://google.serper.dev',
  requires: 'key',
  serves: ['web', 'images', 'news'],
  abilities: {
    dialect: webDialect,
    dates: 'any',
    sortsByDate: true,
    country: true,
    language: true,
    location: true,
  },
  pauseMs: 20,
  maxResults: 100,
  call(request, endpoint) {
    const { source, range, country, language, location, limit, now } = request
    return {
      method: 'POST',
      url: buildCallUrl(endpoint, paths[source]),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': requireKey(endpoint, 'Serper'),
      },
      body: JSON.stringify({
        q: writeGoogleQuery(request),
        num: Math.min(limit, 100),
        gl: country?.toLowerCase(),
        hl: language,
        location,
        tbs: googleTbs(range, now),
        // A corrected query would return results for words that were not requested.
        autocorrect: false,
      }),
    }
  },
  read(response, request) {
    throwKnownError(response, [
      { status: 403, bodyText: 'Unauthorized', problem: 'unauthorized', message: badKey },
      { status: 400, bodyText: 'Not enough credits', problem: 'rate-limited', message: noCredits },
    ])
    return filterResults(readResults(response, request.source), request, 'Serper')
  },
}

const badKey = 'Serper does not accept the key'
const noCredits = 'Serper has no credits left'

function writeGoogleQuery({ source, query }: ProviderRequest): string {
  // Google supports `imagesize:`, and reads `larger:` as a word.
  const hasLargerTerm = query.clauses.some(({ terms }) =>
    terms.some((term) => term.kind === 'size' && term.name === 'larger'),
  )
  return writeQuery(query, { ...webDialect, hasSizes: source === 'images' && !hasLargerTerm }).text
}

function readResults(response: ProviderResponse, source: SearchSource): RawResult[] {
  if (source === 'images') {
    const { images } = readJsonResponse(response, imagesSchema, 'Serper')
    return images.map(({ link: url, ...rest }) => ({ url, ...rest }))
  }
  const pages =
    source === 'news'
      ? readJsonResponse(response, newsSchema, 'Serper').news
      : readJsonResponse(response, webSchema, 'Serper').organic
  return pages.map(({ link: url, snippet: text, ...rest }) => ({ url, text, ...rest }))
}
