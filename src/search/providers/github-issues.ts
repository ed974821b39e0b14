import { z } from 'zod'
import { githubCall, githubDialect } from './github.ts'
import type { SearchProvider } from './provider.ts'
import { refuseRateLimit } from './rate-limit.ts'
import { dateOf, readJsonAnswer } from './read-answer.ts'
import { resultsOf } from './results-of.ts'

const answerShape = z.object({
  items: z.array(
    z.object({
      html_url: z.string(),
      title: z.string(),
      body: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
})

export const githubIssues: SearchProvider = {
  name: 'github-issues',
  description:
    'Issues of public repositories of GitHub, by its API; a key is optional and raises its limits.',
  serves: ['github'],
  base: 'https://api.github.com',
  needs: 'nothing',
  abilities: {
    dialect: githubDialect,
    ...{ dates: 'any', sortsByDate: true, country: false, language: false, location: false },
  },
  pauseMs: 6000,
  mostResults: 100,
  call(request, place) {
    // Some keys may not ask for issues and pull requests at once.
    const search = { path: '/search/issues', date: 'created', sort: 'created', qualifiers: ['is:issue'] }
    return githubCall(request, place, search)
  },
  read(answer, { now }) {
    refuseRateLimit(answer, 'GitHub', now)
    const { items } = readJsonAnswer(answer, answerShape, 'GitHub')
    return resultsOf(
      items.map(({ html_url, title, body, created_at }) => ({
        url: html_url,
        title,
        text: body,
        publishedAt: dateOf(created_at),
      })),
    )
  },
}
