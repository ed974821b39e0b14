import { z } from 'zod'
import type { TimeRange } from '../query/time-range.ts'
import { webDialect } from '../query/write-query.ts'
import { callAddress, neededKey } from './call-address.ts'
import { recentSpan, slashedDay } from './date-parameters.ts'
import { googleLanguage, googleText } from './google-query.ts'
import { type GivenResult, keepResults, maybeNumber, maybeText } from './keep-results.ts'
import { type ProviderAnswer, ProviderFailure, type SearchProvider, type SearchSource } from './provider.ts'
import { readJsonAnswer } from './read-answer.ts'

const page = z.object({
  link: z.string(),
  title: z.string(),
  snippet: maybeText,
  date: maybeText,
  iso_date: maybeText,
  thumbnail: maybeText,
})
const image = z.object({
  title: maybeText,
  source: z.object({ link: maybeText }).nullish().catch(undefined),
  original: z.object({ link: maybeText, width: maybeNumber, height: maybeNumber }).nullish().catch(undefined),
})
// Errors, and that there are no results, come with status 200 and in place of the list.
const failed = z.object({ error: z.string() })
const pagesShape = z.union([z.object({ organic_results: z.array(page) }), failed])
const imagesShape = z.union([z.object({ images: z.array(image) }), failed])

const engines = { web: 'google', images: 'google_images', news: 'google_news' }

export const searchapi: SearchProvider = {
  name: 'searchapi',
  description: 'Results of Google for the web, images and news, by SearchAPI.io.',
  base: 'https://www.searchapi.io',
  needs: 'key',
  serves: ['web', 'images', 'news'],
  abilities: {
    dialect: webDialect,
    ...{ dates: 'any', sortsByDate: false, country: true, language: true, location: true },
  },
  pauseMs: 200,
  mostResults: 100,
  call(request, place) {
    const { source, range, country, language, location, isSafe, most, now } = request
    const url = callAddress(place, '/api/v1/search', {
      engine: engines[source],
      q: googleText(request),
      num: Math.min(most, 100),
      gl: country?.toLowerCase(),
      hl: language,
      lr: googleLanguage(language),
      location,
      safe: isSafe === undefined ? undefined : isSafe ? 'active' : 'off',
      ...periodOf(range, now),
    })
    // The header rather than the parameter `api_key`: addresses end up in logs.
    const headers = { accept: 'application/json', authorization: `Bearer ${neededKey(place, 'SearchAPI')}` }
    return { method: 'GET', url, headers }
  },
  read(answer, request) {
    return keepResults(givenBy(answer, request.source), request, 'SearchAPI')
  },
}

/** Dates are whole days, so the last hour and the last day go by name. */
function periodOf(range: TimeRange, now: number): Record<string, string | undefined> {
  const span = range.to === undefined ? recentSpan(range, now, ['hour', 'day']) : undefined
  if (span !== undefined) return { time_period: `last_${span}` }
  return { time_period_min: slashedDay(range.from), time_period_max: slashedDay(range.to) }
}

function givenBy(answer: ProviderAnswer, source: SearchSource): GivenResult[] {
  if (source === 'images') {
    const read = readJsonAnswer(answer, imagesShape, 'SearchAPI')
    if ('error' in read) return noneOrThrow(read.error)
    return read.images.map(({ title, source: found, original }) => ({
      ...{ url: found?.link, title },
      ...{ imageUrl: original?.link, imageWidth: original?.width, imageHeight: original?.height },
    }))
  }
  const read = readJsonAnswer(answer, pagesShape, 'SearchAPI')
  if ('error' in read) return noneOrThrow(read.error)
  return read.organic_results.map(({ link, title, snippet, date, iso_date, thumbnail }) => ({
    ...{ url: link, title, text: snippet, date: iso_date ?? date, imageUrl: thumbnail },
  }))
}

function noneOrThrow(error: string): [] {
  const said = error.slice(0, 200)
  if (/return(?:ed)? any results|no results/i.test(said)) return []
  throw new ProviderFailure('failed', 'SearchAPI answered with an error', { said })
}
