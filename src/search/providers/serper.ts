import { z } from 'zod'
import type { Query } from '../query/query.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, googleTbs, requireKey, throwKnownError } from './calls.ts'
import { filterResults, type GivenResult, maybeNumber, maybeText } from './normalize-results.ts'
import type { ProviderAnswer, ProviderRequest, SearchProvider, SearchSource } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const page = z.object({
  link: z.string(),
  title: z.string(),
  snippet: maybeText,
  date: maybeText,
  imageUrl: maybeText,
})
const image = z.object({
  link: z.string(),
  title: maybeText,
  imageUrl: maybeText,
  imageWidth: maybeNumber,
  imageHeight: maybeNumber,
})
const webShape = z.object({ organic: z.array(page) })
const newsShape = z.object({ news: z.array(page) })
const imagesShape = z.object({ images: z.array(image) })

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
  call(request, place) {
    const { source, range, country, language, location, most, now } = request
    return {
      method: 'POST',
      url: buildCallUrl(place, paths[source]),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': requireKey(place, 'Serper'),
      },
      body: JSON.stringify({
        q: googleText(request),
        num: Math.min(most, 100),
        gl: country?.toLowerCase(),
        hl: language,
        location,
        tbs: googleTbs(range, now),
        // A corrected query would bring results for words that were not asked for.
        autocorrect: false,
      }),
    }
  },
  read(answer, request) {
    throwKnownError(answer, [
      {
        status: 403,
        says: 'Unauthorized',
        problem: 'unauthorized',
        message: 'Serper does not accept the key',
      },
      {
        status: 400,
        says: 'Not enough credits',
        problem: 'rate-limited',
        message: 'Serper has no credits left',
      },
    ])
    return filterResults(givenBy(answer, request.source), request, 'Serper')
  },
}

function googleText({ source, query }: Pick<ProviderRequest, 'source' | 'query'>): string {
  const hasSizes = source === 'images' && !asksForLarger(query)
  return writeQuery(query, { ...webDialect, hasSizes }).text
}

// Google knows `imagesize:`, and takes `larger:` for a word.
function asksForLarger({ clauses }: Query): boolean {
  return clauses.some(({ terms }) => terms.some((term) => term.kind === 'size' && term.name === 'larger'))
}

function givenBy(answer: ProviderAnswer, source: SearchSource): GivenResult[] {
  if (source === 'images') {
    return readJsonResponse(answer, imagesShape, 'Serper').images.map(({ link, ...rest }) => ({
      url: link,
      ...rest,
    }))
  }
  const pages =
    source === 'news'
      ? readJsonResponse(answer, newsShape, 'Serper').news
      : readJsonResponse(answer, webShape, 'Serper').organic
  return pages.map(({ link, title, snippet, date, imageUrl }) => ({
    ...{ url: link, title, text: snippet, date, imageUrl },
  }))
}
