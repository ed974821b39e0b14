import { z } from 'zod'
import type { TimeRange } from '../query/time-range.ts'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, throwIfRateLimited, truncateQuery } from './calls.ts'
import { normalizeResults, type RawResult } from './normalize-results.ts'
import type { ProviderCall, ProviderEndpoint, ProviderRequest, SearchProvider } from './provider.ts'
import { dateOf, readJsonResponse } from './read-response.ts'

const maybeText = z.string().nullish()
export const repositorySchema = z.object({
  ...{ html_url: z.string(), full_name: z.string(), description: maybeText, pushed_at: maybeText },
})
export const issueSchema = z.object({
  ...{ html_url: z.string(), title: z.string(), body: maybeText, created_at: maybeText },
})
const repositoriesSchema = z.object({ items: z.array(repositorySchema) })
const issuesSchema = z.object({ items: z.array(issueSchema) })

/** `date` is the search qualifier that limits the date. */
export const repositorySearch = { path: '/search/repositories', date: 'pushed', sort: 'updated' }
export const issueSearch = { path: '/search/issues', date: 'created', sort: 'created' }

/** GitHub excludes words only with NOT, and allows few of them; a minus only excludes qualifiers. */
const githubDialect = { ...plainWords, hasPhrases: true }

export const github: SearchProvider = {
  name: 'github',
  description: 'Repositories of GitHub, by its API; a key is optional and raises its limits.',
  serves: ['github'],
  base: 'https://api.github.com',
  requires: 'nothing',
  abilities: { dialect: githubDialect, dates: 'any', sortsByDate: true },
  pauseMs: 6000,
  maxResults: 100,
  call: (request, endpoint) => githubCall(request, endpoint, repositorySearch),
  read(response, { now }) {
    throwIfRateLimited(response, 'GitHub', now)
    const { items } = readJsonResponse(response, repositoriesSchema, 'GitHub')
    return normalizeResults(items.map(toRepositoryResult))
  },
}

export const githubIssues: SearchProvider = {
  ...github,
  name: 'github-issues',
  description:
    'Issues of public repositories of GitHub, by its API; a key is optional and raises its limits.',
  // Some keys are not permitted to search issues and pull requests together.
  call: (request, endpoint) => githubCall(request, endpoint, { ...issueSearch, qualifiers: ['is:issue'] }),
  read(response, { now }) {
    throwIfRateLimited(response, 'GitHub', now)
    const { items } = readJsonResponse(response, issuesSchema, 'GitHub')
    return normalizeResults(items.map(toIssueResult))
  },
}

export function toRepositoryResult(item: z.output<typeof repositorySchema>): RawResult {
  const { html_url: url, full_name: title, description: text, pushed_at } = item
  return { url, title, text, publishedAt: dateOf(pushed_at) }
}

export function toIssueResult(item: z.output<typeof issueSchema>): RawResult {
  const { html_url: url, title, body: text, created_at } = item
  return { url, title, text, publishedAt: dateOf(created_at) }
}

export function githubCall(
  { query, range, limit }: ProviderRequest,
  { base, key }: ProviderEndpoint,
  { path, date, sort, qualifiers = [] }: typeof issueSearch & { qualifiers?: string[] },
): ProviderCall {
  // GitHub rejects longer texts; qualifiers do not count.
  const words = truncateQuery(writeQuery(query, githubDialect).text, 256)
  const url = buildCallUrl({ base }, path, {
    q: [words, ...qualifiers, ...writeDates(range, date)].filter((part) => part !== '').join(' '),
    per_page: String(Math.min(limit, 100)),
    ...(range.isNewestFirst ? { sort, order: 'desc' } : {}),
  })
  return {
    ...{ method: 'GET', url },
    headers: {
      ...{ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
  }
}

function writeDates({ from, to }: TimeRange, qualifier: string): string[] {
  if (from === undefined && to === undefined) return []
  return [`${qualifier}:${formatTime(from)}..${formatTime(to)}`]
}

function formatTime(time: number | undefined): string {
  return time === undefined ? '*' : `${new Date(time).toISOString().slice(0, 19)}Z`
}
