import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { dayOf, getJson, throwIfRateLimited, truncateQuery } from './calls.ts'
import { normalizeResults, type RawResult } from './normalize-results.ts'
import type { ProviderRequest, SearchProvider } from './provider.ts'
import { dateOf, readJsonResponse } from './read-response.ts'

export const workSchema = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  display_name: z.string().nullish(),
  publication_date: z.string().nullish(),
  primary_location: z.object({ landing_page_url: z.string().nullish() }).nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
})
const responseSchema = z.object({ results: z.array(workSchema) })

/** OpenAlex has no minus operator, and alternatives would need brackets. */
const dialect = { ...plainWords, hasPhrases: true }

export const openalex: SearchProvider = {
  name: 'openalex',
  description:
    'Scholarly works of the open catalogue OpenAlex; without a free key it answers few searches a day.',
  serves: ['research'],
  base: 'https://api.openalex.org',
  requires: 'nothing',
  abilities: { dialect, dates: 'any', sortsByDate: true, language: true },
  pauseMs: 200,
  maxResults: 100,
  call(request, { base, key }) {
    const { query, limit, range } = request
    // OpenAlex rejects wildcards in short words, and reads the other characters as operators.
    const words = writeQuery(query, dialect).text.replace(/[?*~|!\\]+/g, ' ')
    return getJson({ base }, '/works', {
      search: truncateQuery(words.trim(), 1000),
      per_page: String(Math.min(limit, 100)),
      select: 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index',
      filter: buildFilters(request).join(',') || undefined,
      sort: range.isNewestFirst ? 'publication_date:desc' : undefined,
      api_key: key,
    })
  },
  read(response, { now }) {
    throwIfRateLimited(response, 'OpenAlex', now)
    const { results } = readJsonResponse(response, responseSchema, 'OpenAlex')
    return normalizeResults(results.map(toWorkResult))
  },
}

export function toWorkResult(work: z.output<typeof workSchema>): RawResult {
  return {
    url: work.primary_location?.landing_page_url ?? work.doi ?? work.id,
    title: work.display_name,
    text: joinAbstract(work.abstract_inverted_index ?? {}),
    publishedAt: dateOf(work.publication_date),
  }
}

function buildFilters({ range: { from, to }, language }: ProviderRequest): string[] {
  return [
    ...(from === undefined ? [] : [`from_publication_date:${dayOf(from)}`]),
    ...(to === undefined ? [] : [`to_publication_date:${dayOf(to)}`]),
    ...(language === undefined ? [] : [`language:${language}`]),
  ]
}

const maxWords = 1000

/** OpenAlex sends an abstract as words with their positions. */
function joinAbstract(positions: Record<string, number[]>): string {
  const words: string[] = []
  for (const [word, wordPositions] of Object.entries(positions)) {
    for (const position of wordPositions) {
      if (Number.isInteger(position) && position >= 0 && position < maxWords) words[position] = word
    }
  }
  return words.filter((word) => word !== undefined).join(' ')
}
