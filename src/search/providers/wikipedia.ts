import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import type { SearchProvider } from './provider.ts'
import { dateOf, readJsonAnswer } from './read-answer.ts'

const answerShape = z.object({
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
  abilities: {
    dialect: { ...plainWords, operators: ['intitle'], hasPhrases: true, hasMinus: true },
    ...{ dates: 'none', sortsByDate: false, country: false, language: true, location: false },
  },
  pauseMs: 200,
  mostResults: 50,
  call({ query, most, language = 'en' }, { base }) {
    const url = new URL('/w/api.php', base.replace('{language}', encodeURIComponent(language)))
    url.search = String(
      new URLSearchParams({
        ...{
          action: 'query',
          list: 'search',
          format: 'json',
          formatversion: '2',
          srprop: 'snippet|timestamp',
        },
        ...{ srsearch: writeQuery(query, this.abilities.dialect).text, srlimit: String(Math.min(most, 50)) },
      }),
    )
    return { method: 'GET', url, headers: { accept: 'application/json' } }
  },
  read(answer, { language = 'en' }) {
    const { query } = readJsonAnswer(answer, answerShape, 'Wikipedia')
    return (query?.search ?? []).map(({ title, snippet, timestamp }) => ({
      url: `https://${language}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
      title,
      text: withoutTags(snippet),
      ...(dateOf(timestamp) === undefined ? {} : { publishedAt: dateOf(timestamp) as number }),
    }))
  },
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]{0,200}>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
