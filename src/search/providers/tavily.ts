import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { callAddress, neededKey } from './call-address.ts'
import { isoDay } from './date-parameters.ts'
import { keepResults, maybeText } from './keep-results.ts'
import { refuseKnown } from './known-refusals.ts'
import type { SearchProvider } from './provider.ts'
import { readJsonAnswer } from './read-answer.ts'
import { nonEmpty, siteDomains } from './site-domains.ts'
import { tavilyCountry } from './tavily-country.ts'

const answerShape = z.object({
  results: z.array(
    z.object({ url: z.string(), title: z.string(), content: maybeText, published_date: maybeText }),
  ),
})

export const tavily: SearchProvider = {
  name: 'tavily',
  description: 'The web and news, chosen for language models, by Tavily.',
  base: 'https://api.tavily.com',
  needs: 'key',
  serves: ['web', 'news'],
  abilities: {
    // Sites go as lists of their own.
    dialect: plainWords,
    ...{ dates: 'any', sortsByDate: false, country: true, language: false, location: false },
  },
  // A hundred requests a minute with a key for development.
  pauseMs: 600,
  mostResults: 20,
  call({ source, query, range, country, most }, place) {
    const { included, excluded } = siteDomains(query)
    return {
      method: 'POST',
      url: callAddress(place, '/search'),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${neededKey(place, 'Tavily')}`,
      },
      body: JSON.stringify({
        query: writeQuery(query, plainWords).text || included.join(' '),
        topic: source === 'news' ? 'news' : 'general',
        // The other depths cost more.
        search_depth: 'basic',
        max_results: Math.min(most, 20),
        start_date: isoDay(range.from),
        end_date: isoDay(range.to),
        include_domains: nonEmpty(included, 300),
        exclude_domains: nonEmpty(excluded, 150),
        // Refused for news.
        country: source === 'news' || country === undefined ? undefined : tavilyCountry(country),
      }),
    }
  },
  read(answer, request) {
    refuseKnown(answer, [
      { status: 432, problem: 'rate-limited', message: 'Tavily has reached the limit of the key or plan' },
      { status: 433, problem: 'rate-limited', message: 'Tavily has reached the limit of pay-as-you-go' },
    ])
    const { results } = readJsonAnswer(answer, answerShape, 'Tavily')
    const given = results.map(({ url, title, content, published_date }) => ({
      ...{ url, title, text: content, date: published_date },
    }))
    return keepResults(given, request, 'Tavily')
  },
}
