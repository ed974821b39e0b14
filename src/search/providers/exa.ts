import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { callAddress, neededKey } from './call-address.ts'
import { isoMoment } from './date-parameters.ts'
import { keepResults, maybeText } from './keep-results.ts'
import { refuseKnown } from './known-refusals.ts'
import type { SearchProvider } from './provider.ts'
import { readJsonAnswer } from './read-answer.ts'
import { nonEmpty, siteDomains } from './site-domains.ts'

const answerShape = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: maybeText,
      publishedDate: maybeText,
      image: maybeText,
      text: maybeText,
      highlights: z.array(z.string()).nullish().catch(undefined),
    }),
  ),
})

export const exa: SearchProvider = {
  name: 'exa',
  description: 'The web, news and research papers, found by meaning, by Exa.',
  base: 'https://api.exa.ai',
  needs: 'key',
  serves: ['web', 'news', 'research'],
  abilities: {
    // Sites go as lists of their own.
    dialect: plainWords,
    ...{ dates: 'any', sortsByDate: false, country: true, language: false, location: false },
  },
  pauseMs: 100,
  mostResults: 100,
  call({ source, category, query, range, country, isSafe, most }, place) {
    const { included, excluded } = siteDomains(query)
    return {
      method: 'POST',
      url: callAddress(place, '/search'),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': neededKey(place, 'Exa'),
      },
      body: JSON.stringify({
        query: writeQuery(query, plainWords).text || included.join(' '),
        type: 'auto',
        category: category === 'research' ? 'research paper' : source === 'news' ? 'news' : undefined,
        numResults: Math.min(most, 100),
        startPublishedDate: isoMoment(range.from),
        endPublishedDate: isoMoment(range.to),
        includeDomains: nonEmpty(included, 1200),
        excludeDomains: nonEmpty(excluded, 1200),
        userLocation: country,
        moderation: isSafe,
        // Without contents a result has no text at all.
        contents: { highlights: true },
      }),
    }
  },
  read(answer, request) {
    refuseKnown(answer, [{ status: 402, problem: 'rate-limited', message: 'Exa has no credits left' }])
    const { results } = readJsonAnswer(answer, answerShape, 'Exa')
    const given = results.map(({ url, title, publishedDate, image, text, highlights }) => ({
      ...{ url, title, date: publishedDate, imageUrl: image },
      text: highlights?.slice(0, 20).join(' … ') || text,
    }))
    return keepResults(given, request, 'Exa')
  },
}
