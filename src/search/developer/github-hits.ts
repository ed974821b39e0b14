import { z } from 'zod'
import { throwIfRateLimited } from '../providers/calls.ts'
import {
  github,
  githubCall,
  githubIssues,
  issueSchema,
  issueSearch,
  repositorySchema,
  repositorySearch,
  toIssueResult,
  toRepositoryResult,
} from '../providers/github.ts'
import { normalizeResults } from '../providers/normalize-results.ts'
import type {
  ProviderRequest,
  ProviderResponse,
  ProviderResult,
  SearchProvider,
} from '../providers/provider.ts'
import { readJsonResponse } from '../providers/read-response.ts'

export const hitTypes = ['issue', 'pull_request', 'readme'] as const
export type HitType = (typeof hitTypes)[number]

export interface GithubHit extends ProviderResult {
  type: HitType
  repo: string
  number?: number
  /** SPDX identifier of the licence of a repository; null if it has none. */
  license?: string | null
}

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

/** True if the filter uses properties that the search of issues and pull requests does not support. */
export function isRepositoryQuery({ topics, license, minStars, maxStars, fork }: RepoFilter): boolean {
  return topics.length > 0 || [license, minStars, maxStars, fork].some((value) => value !== undefined)
}

export function githubFor(type: HitType, filter: RepoFilter): SearchProvider {
  const search = type === 'readme' ? repositorySearch : issueSearch
  return {
    ...(type === 'readme' ? github : githubIssues),
    call: (request, endpoint) =>
      githubCall(request, endpoint, { ...search, qualifiers: buildQualifiers(type, filter) }),
    read: (response, request) => readHits(type, response, request),
  }
}

const typeQualifiers: Record<HitType, string[]> = {
  issue: ['is:issue'],
  pull_request: ['is:pr', 'is:merged'],
  readme: ['in:name,description,readme'],
}

function buildQualifiers(type: HitType, filter: RepoFilter): string[] {
  const { repos, language, archived } = filter
  return [
    ...typeQualifiers[type],
    ...repos.map((repo) => `repo:${repo}`),
    ...(language === undefined ? [] : [`language:${quoteQualifier(language)}`]),
    ...(archived === undefined ? [] : [`archived:${archived}`]),
    ...(type === 'readme' ? repositoryQualifiers(filter) : []),
  ]
}

function repositoryQualifiers({ topics, license, minStars, maxStars, fork }: RepoFilter): string[] {
  const hasStars = minStars !== undefined || maxStars !== undefined
  return [
    ...topics.map((topic) => `topic:${quoteQualifier(topic)}`),
    ...(license === undefined ? [] : [`license:${quoteQualifier(license)}`]),
    ...(hasStars ? [`stars:${minStars ?? '*'}..${maxStars ?? '*'}`] : []),
    // GitHub omits forks unless the query includes them.
    ...(fork === true ? ['fork:only'] : []),
  ]
}

function quoteQualifier(text: string): string {
  const plain = text.replace(/["\s]+/g, ' ').trim()
  return plain.includes(' ') ? `"${plain}"` : plain
}

const issuesSchema = z.object({ items: z.array(issueSchema.extend({ number: z.int().optional() })) })
const license = z.object({ spdx_id: z.string().nullish() }).nullish()
const repositoriesSchema = z.object({ items: z.array(repositorySchema.extend({ license })) })

function readHits(type: HitType, response: ProviderResponse, { now }: ProviderRequest): GithubHit[] {
  throwIfRateLimited(response, 'GitHub', now)
  // GitHub cannot search any of the named repositories. This is not a failure of GitHub.
  if (response.status === 422 && /cannot be searched/.test(response.body)) return []
  if (type !== 'readme')
    return readJsonResponse(response, issuesSchema, 'GitHub').items.flatMap((item) => {
      const [, repo = '', digits] =
        /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(item.html_url) ?? []
      const number = item.number ?? (digits === undefined ? undefined : Number(digits))
      return normalizeResults([toIssueResult(item)]).map((result) => ({
        ...{ ...result, type, repo },
        ...(number === undefined ? {} : { number }),
      }))
    })
  return readJsonResponse(response, repositoriesSchema, 'GitHub').items.flatMap((item) => {
    const license = item.license === null ? null : item.license?.spdx_id
    return normalizeResults([toRepositoryResult(item)]).map((result) => ({
      ...{ ...result, type, repo: item.full_name },
      ...(license === undefined ? {} : { license }),
    }))
  })
}
