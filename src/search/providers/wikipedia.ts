import { z } from 'zod'
import { writeQuery } from '../query/write-query.ts'
import { getJson, truncateQuery } from './calls.ts'
import { normalizeResults, withoutTags } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { dateOf, readJsonResponse } from './read-response.ts'
import { mediaWikiDialect, mediaWikiError, throwMediaWikiError } from './wikimedia-commons.ts'

const responseSchema = z.object({
  error: mediaWikiError,
  query: z
    .object({
      search: z.array(z.object({ title: z.string(), snippet: z.string(), timestamp: z.string().optional() })),
    })
    .optional(),
})

export const wikipedia: SearchProvider = {
  name: 'wikipedia',
  description: 'Articles of Wikipedia in the language of the search, by the API of the Wikimedia Foundation.',
  serves: ['web'],
  base: 'https://{language}.wikipedia.org',
  requires: 'nothing',
  abilities: { dialect: mediaWikiDialect, dates: 'none', language: true },
  pauseMs: 200,
  maxResults: 50,
  call({ query, limit, language }, { base }) {
    return getJson({ base: base.replace('{language}', getEdition(language)) }, '/w/api.php', {
      ...{ action: 'query', list: 'search', format: 'json', formatversion: '2' },
      srprop: 'snippet|timestamp',
      srsearch: truncateQuery(writeQuery(query, mediaWikiDialect).text, 300),
      srlimit: String(Math.min(limit, 50)),
    })
  },
  read(response, { language }) {
    const { query, error } = readJsonResponse(response, responseSchema, 'Wikipedia')
    throwMediaWikiError(error, 'Wikipedia')
    if (!query) throw new ProviderFailure('changed', 'Wikipedia answered without a list of results')
    return normalizeResults(
      query.search.map(({ title, snippet, timestamp }) => ({
        url: `https://${getEdition(language)}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
        title,
        text: withoutTags(snippet),
        publishedAt: dateOf(timestamp),
      })),
    )
  },
}

/** The code becomes part of the host, so only language codes are valid. */
const getEdition = (language = 'en') => (/^[a-z]{2,3}$/.test(language) ? language : 'en')
