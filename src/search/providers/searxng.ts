import { z } from 'zod'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { findRecentSpan, getJson, throwKnownError } from './calls.ts'
import { filterResults, maybeText } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const responseSchema = z.object({
  results: z.array(
    z.object({
      ...{ url: maybeText, title: maybeText, content: maybeText },
      ...{ publishedDate: maybeText, img_src: maybeText, resolution: maybeText },
    }),
  ),
  unresponsive_engines: z.array(z.array(z.string())).nullish().catch(undefined),
})

const categories = { web: 'general', images: 'images', news: 'news' }

export const searxng: SearchProvider = {
  name: 'searxng',
  description: 'Many search engines at once, by a SearXNG of the operator that has its JSON format enabled.',
  base: '',
  requires: 'address',
  serves: ['web', 'images', 'news'],
  abilities: { dialect: webDialect, dates: 'recent', language: true },
  pauseMs: 0,
  maxResults: 100,
  call({ source, query, range, country, language, isSafe, now }, endpoint) {
    return getJson(endpoint, '/search', {
      q: withoutCommands(writeQuery(query, this.abilities.dialect).text),
      format: 'json',
      categories: categories[source],
      language: language === undefined || country === undefined ? language : `${language}-${country}`,
      time_range: findRecentSpan(range, now),
      safesearch: isSafe === undefined ? undefined : isSafe ? 2 : 0,
    })
  },
  read(response, request) {
    throwKnownError(response, [{ status: 403, problem: 'blocked', message: jsonIsOff }])
    const body = readJsonResponse(response, responseSchema, 'SearXNG')
    const { results, unresponsive_engines: unresponsive } = body
    if (results.length === 0 && unresponsive?.length) throw createEngineFailure(unresponsive)
    const rawResults = results.map(({ url, title, content, publishedDate, img_src, resolution }) => ({
      ...{ url, title, text: content, date: publishedDate },
      imageUrl: img_src?.startsWith('//') ? `https:${img_src}` : img_src,
      ...parseSize(resolution),
    }))
    return filterResults(rawResults, request, 'SearXNG')
  },
}

const jsonIsOff =
  'SearXNG answered 403: its JSON format is probably not enabled (search.formats in its settings.yml needs json)'

/** Removes `!engine`, `!!site`, `:language` and `<seconds`, which SearXNG reads as commands. */
const withoutCommands = (text: string) => text.replace(/(^|\s)[!:<]+(?=\S)/g, '$1')

/** The results of engines that did not respond may exist, so this is not an empty result. */
function createEngineFailure(engines: string[][]): ProviderFailure {
  const reasons = engines.slice(0, 10).map((parts) => parts.slice(0, 2).join(': ').slice(0, 80))
  const details = reasons.join(', ')
  const isLimit = /too many requests/i.test(details)
  const problem = /captcha|access denied/i.test(details) ? 'blocked' : isLimit ? 'rate-limited' : 'failed'
  return new ProviderFailure(problem, 'SearXNG had no answer of its engines', { responseText: details })
}

function parseSize(resolution: string | null | undefined) {
  const [, width, height] = /^\s{0,3}(\d{1,6})\s{0,3}[x×]\s{0,3}(\d{1,6})/i.exec(resolution ?? '') ?? []
  return width === undefined ? {} : { imageWidth: Number(width), imageHeight: Number(height) }
}
