import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, truncateQuery } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import type { SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const text = z.string().nullish()
const responseSchema = z.object({
  results: z.array(
    z.object({
      ...{ title: text, url: text, foreign_landing_url: text, attribution: text },
      ...{ width: z.number().nullish(), height: z.number().nullish() },
    }),
  ),
})

const dialect = { ...plainWords, hasPhrases: true, hasMinus: true }

export const openverse: SearchProvider = {
  name: 'openverse',
  description:
    'Openly licensed pictures of many collections with their sizes, by the Openverse project of WordPress.',
  serves: ['images'],
  base: 'https://api.openverse.org',
  requires: 'nothing',
  abilities: { dialect, dates: 'none' },
  pauseMs: 3000,
  maxResults: 20,
  call({ query, limit, isSafe }, { base, key }) {
    const url = buildCallUrl({ base }, '/v1/images/', {
      q: truncateQuery(writeQuery(query, dialect).text, 200),
      // Without a key, Openverse rejects a page size above 20 with status 401.
      page_size: String(Math.min(limit, 20)),
      unstable__include_sensitive_results: isSafe === false ? 'true' : undefined,
    })
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return { method: 'GET', url, headers: { accept: 'application/json', ...authorization } }
  },
  read(response) {
    const { results } = readJsonResponse(response, responseSchema, 'Openverse')
    return normalizeResults(
      results.map(({ title, url, foreign_landing_url, attribution, width, height }) => ({
        url: foreign_landing_url,
        title,
        text: attribution,
        ...{ imageUrl: url, imageWidth: width, imageHeight: height },
      })),
    )
  },
}
