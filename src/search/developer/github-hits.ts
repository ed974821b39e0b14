import { z } from 'zod'
import { throwIfRateLimited } from '../providers/calls.ts'
import { github, githubCall, githubIssues } from '../providers/github.ts'
import { normalizeResults } from '../providers/normalize-results.ts'
import type {
  ProviderAnswer,
  ProviderRequest,
  ProviderResult,
  SearchProvider,
} from '../providers/provider.ts'
import { dateOf, readJsonResponse } from '../providers/read-response.ts'

export const hitTypes = ['issue', 'pull_request', 'readme'] as const
export type HitType = (typeof hitTypes)[number]

/** A result of GitHub, with what it is. */
export interface GithubHit extends ProviderResult {
  type: HitType
  /** `owner/name`. */
  repo: string
  number?: number
  /** SPDX identifier of the licence of a repository; null where it has none. */
  license?: string | null
}

/** Which repositories results come from. */
export interface RepoFilter {
  repos: readonly string[]
  language?: string | undefined
  archived?: boolean | undefined
  topics: readonly string[]
  license?: string | undefined
  minStars?: number | undefined
  maxStars?: number | undefined
  fork?: boolean | undefined
}

export function isHit(result: ProviderResult): result is GithubHit {
  return 'repo' in result && 'type' in result
}

/** Issues and pull requests are found by few properties of their repository. */
export function isRepositoryQuery({ topics, license, minStars, maxStars, fork }: RepoFilter): boolean {
  return topics.length > 0 || [license, minStars, maxStars, fork].some((value) => value !== undefined)
}

/** The provider of a type, asked for that type and filter. */
export function githubFor(type: HitType, filter: RepoFilter): SearchProvider {
  const search =
    type === 'readme'
      ? { path: '/search/repositories', date: 'pushed', sort: 'updated' }
      : { path: '/search/issues', date: 'created', sort: 'created' }
  return {
    ...(type === 'readme' ? github : githubIssues),
    call: (request, place) =>
      githubCall(request, place, { ...search, qualifiers: qualifiersOf(type, filter) }),
    read: (answer, request) => readHits(type, answer, request),
  }
}

const ofType: Record<HitType, string[]> = {
  issue: ['is:issue'],
  pull_request: ['is:pr', 'is:merged'],
  readme: ['in:name,description,readme'],
}

function qualifiersOf(type: HitType, filter: RepoFilter): string[] {
  const { repos, language, archived } = filter
  return [
    ...ofType[type],
    ...repos.map((repo) => `repo:${repo}`),
    ...(language === undefined ? [] : [`language:${quoted(language)}`]),
    ...(archived === undefined ? [] : [`archived:${archived}`]),
    ...(type === 'readme' ? ofRepositories(filter) : []),
  ]
}

function ofRepositories({ topics, license, minStars, maxStars, fork }: RepoFilter): string[] {
  const hasStars = minStars !== undefined || maxStars !== undefined
  return [
    ...topics.map((topic) => `topic:${quoted(topic)}`),
    ...(license === undefined ? [] : [`license:${quoted(license)}`]),
    ...(hasStars ? [`stars:${minStars ?? '*'}..${maxStars ?? '*'}`] : []),
    // Forks are left out unless they are asked for.
    ...(fork === true ? ['fork:only'] : []),
  ]
}

function quoted(text: string): string {
  const plain = text.replace(/["\s]+/g, ' ').trim()
  return plain.includes(' ') ? `"${plain}"` : plain
}

const issueShape = z.object({
  items: z.array(
    z.object({
      html_url: z.string(),
      title: z.string(),
      number: z.int().optional(),
      body: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
})

const repositoryShape = z.object({
  items: z.array(
    z.object({
      html_url: z.string(),
      full_name: z.string(),
      description: z.string().nullish(),
      pushed_at: z.string().nullish(),
      license: z.object({ spdx_id: z.string().nullish() }).nullish(),
    }),
  ),
})

function readHits(type: HitType, answer: ProviderAnswer, { now }: ProviderRequest): GithubHit[] {
  throwIfRateLimited(answer, 'GitHub', now)
  // None of the repositories that were named can be searched: it is no fault of GitHub's.
  if (answer.status === 422 && /cannot be searched/.test(answer.body)) return []
  if (type !== 'readme')
    return readJsonResponse(answer, issueShape, 'GitHub').items.flatMap((item) => {
      const [, repo = '', number] =
        /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(item.html_url) ?? []
      const said = {
        url: item.html_url,
        title: item.title,
        text: item.body,
        publishedAt: dateOf(item.created_at),
      }
      const found = item.number ?? (number === undefined ? undefined : Number(number))
      return normalizeResults([said]).map((result) => ({
        ...{ ...result, type, repo },
        ...(found === undefined ? {} : { number: found }),
      }))
    })
  return readJsonResponse(answer, repositoryShape, 'GitHub').items.flatMap((item) => {
    const said = {
      ...{ url: item.html_url, title: item.full_name, text: item.description },
      publishedAt: dateOf(item.pushed_at),
    }
    const license = item.license === null ? null : item.license?.spdx_id
    return normalizeResults([said]).map((result) => ({
      ...{ ...result, type, repo: item.full_name },
      ...(license === undefined ? {} : { license }),
    }))
  })
}
