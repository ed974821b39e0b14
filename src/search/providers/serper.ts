import { z } from 'zod'
import type { Query } from '../query/query.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, googleTbs, requireKey, throwKnownError } from './calls.ts'
import { filterResults, maybeNumber, maybeText, type ParsedResult } from './normalize-results.ts'
import type { ProviderRequest, ProviderResponse, SearchProvider, SearchSource } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const pageSchema = z.object({
  link: z.string(),
  title: z.string(),
  snippet: maybeText,
  date: maybeText,
  imageUrl: maybeText,
})
const imageSchema = z.object({
  link: z.string(),
  title: maybeText,
  imageUrl: maybeText,
  imageWidth: maybeNumber,
  imageHeight: maybeNumber,
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
    ...{ dates: 'any', sortsByDate: true, country: true, language: true, location: true },
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
      {
        status: 403,
        bodyText: 'Unauthorized',
        problem: 'unauthorized',
        message: 'Serper does not accept the key',
      },
      {
        status: 400,
        bodyText: 'Not enough credits',
        problem: 'rate-limited',
        message: 'Serper has no credits left',
      },
    ])
    return filterResults(readResults(response, request.source), request, 'Serper')
  },
}

function writeGoogleQuery({ source, query }: Pick<ProviderRequest, 'source' | 'query'>): string {
  const hasSizes = source === 'images' && !hasLargerTerm(query)
  return writeQuery(query, { ...webDialect, hasSizes }).text
}

// Google supports `imagesize:`, and reads `larger:` as a word.
function hasLargerTerm({ clauses }: Query): boolean {
  return clauses.some(({ terms }) => terms.some((term) => term.kind === 'size' && term.name === 'larger'))
}

function readResults(response: ProviderResponse, source: SearchSource): ParsedResult[] {
  if (source === 'images') {
    return readJsonResponse(response, imagesSchema, 'Serper').images.map(({ link, ...rest }) => ({
      url: link,
      ...rest,
    }))
  }
  const pages =
    source === 'news'
      ? readJsonResponse(response, newsSchema, 'Serper').news
      : readJsonResponse(response, webSchema, 'Serper').organic
  return pages.map(({ link, title, snippet, date, imageUrl }) => ({
    ...{ url: link, title, text: snippet, date, imageUrl },
  }))
}
