import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { dayOf, getJson, throwIfRateLimited, truncateQuery } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import type { ProviderRequest, SearchProvider } from './provider.ts'
import { dateOf, readJsonResponse } from './read-response.ts'

const answerShape = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      doi: z.string().nullish(),
      display_name: z.string().nullish(),
      publication_date: z.string().nullish(),
      primary_location: z.object({ landing_page_url: z.string().nullish() }).nullish(),
      abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
    }),
  ),
})

/** A minus is no operator here, and alternatives would need brackets. */
const dialect = { ...plainWords, hasPhrases: true }

export const openalex: SearchProvider = {
  name: 'openalex',
  description:
    'Scholarly works of the open catalogue OpenAlex; without a free key it answers few searches a day.',
  serves: ['research'],
  base: 'https://api.openalex.org',
  requires: 'nothing',
  abilities: {
    dialect,
    ...{ dates: 'any', sortsByDate: true, country: false, language: true, location: false },
  },
  pauseMs: 200,
  maxResults: 100,
  call(request, { base, key }) {
    const { query, most, range } = request
    // Wildcards in short words are refused, and other signs are operators.
    const words = writeQuery(query, dialect).text.replace(/[?*~|!\\]+/g, ' ')
    return getJson({ base }, '/works', {
      search: truncateQuery(words.trim(), 1000),
      per_page: String(Math.min(most, 100)),
      select: 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index',
      filter: filtersOf(request).join(',') || undefined,
      sort: range.isNewestFirst ? 'publication_date:desc' : undefined,
      api_key: key,
    })
  },
  read(answer, { now }) {
    throwIfRateLimited(answer, 'OpenAlex', now)
    const { results } = readJsonResponse(answer, answerShape, 'OpenAlex')
    return normalizeResults(
      results.map((work) => ({
        url: work.primary_location?.landing_page_url ?? work.doi ?? work.id,
        title: work.display_name,
        text: abstractOf(work.abstract_inverted_index ?? {}),
        publishedAt: dateOf(work.publication_date),
      })),
    )
  },
}

function filtersOf({ range: { from, to }, language }: ProviderRequest): string[] {
  return [
    ...(from === undefined ? [] : [`from_publication_date:${dayOf(from)}`]),
    ...(to === undefined ? [] : [`to_publication_date:${dayOf(to)}`]),
    ...(language === undefined ? [] : [`language:${language}`]),
  ]
}

const maxWords = 1000

/** Abstracts come as words with their places. */
export function abstractOf(places: Record<string, number[]>): string {
  const words: string[] = []
  for (const [word, at] of Object.entries(places)) {
    for (const place of at) {
      if (Number.isInteger(place) && place >= 0 && place < maxWords) words[place] = word
    }
  }
  return words.filter((word) => word !== undefined).join(' ')
}
