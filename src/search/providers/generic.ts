import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { webAddress } from './call-address.ts'
import { findResults } from './find-results.ts'
import { keepResults } from './keep-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonAnswer } from './read-answer.ts'

export const generic: SearchProvider = {
  name: 'generic',
  description:
    'Any service that answers in JSON: its address has {query} and may have {limit}, {country} and {language}; a key is sent as a bearer token.',
  base: '',
  needs: 'address',
  serves: ['web'],
  abilities: {
    // Nothing is known of the service, so that nothing is left to it.
    dialect: plainWords,
    ...{ dates: 'none', sortsByDate: false, country: false, language: false, location: false },
  },
  pauseMs: 200,
  mostResults: 100,
  call({ query, most, country = '', language = '' }, { base, key }) {
    const { text } = writeQuery(query, plainWords)
    const values: Record<string, string> = { query: text, limit: String(most), country, language }
    if (!base.includes('{query}'))
      throw new ProviderFailure('failed', 'The address of the search provider has no {query}')
    const address = base.replace(/\{(query|limit|country|language)\}/g, (_, name: string) =>
      encodeURIComponent((values[name] ?? '').toWellFormed()),
    )
    const headers = { accept: 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
    return { method: 'GET', url: webAddress(address), headers }
  },
  read(answer, request) {
    return keepResults(
      findResults(readJsonAnswer(answer, z.unknown(), 'The service')),
      request,
      'The service',
    )
  },
}
