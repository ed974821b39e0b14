import type { z } from 'zod'
import { githubFor, type HitType, isHit } from '../../search/developer/github-hits.ts'
import type { AskedProvider } from '../../search/providers/ask.ts'
import { mergeResults } from '../../search/web/merge-results.ts'
import { notAvailable, type OutsideNeeds, refuseSilence, warningOf } from './outside.ts'
import { requestOf } from './research.ts'
import type { GithubRequest, githubAnswer } from './research-schema.ts'

export interface ResearchGithubNeeds extends OutsideNeeds {
  providers: readonly AskedProvider[]
}

const types: HitType[] = ['issue', 'readme']

/** Issues and repositories of GitHub, as one list. */
export async function searchResearchGithub(
  needs: ResearchGithubNeeds,
  { query, k }: GithubRequest,
): Promise<z.input<typeof githubAnswer>> {
  const request = { ...requestOf(needs, { query, most: k }), category: 'github' as const }
  const asked = types.flatMap((type) => {
    const provider = githubFor(type, { repos: [], topics: [] })
    const chosen = needs.providers.find((one) => one.provider.name === provider.name)
    return chosen ? [{ ...chosen, provider }] : []
  })
  if (asked.length === 0)
    throw notAvailable('a search of GitHub', 'It needs github or github-issues in SEARCH_PROVIDERS.')
  const answers = await Promise.all(asked.map((one) => needs.ask(one, request)))
  refuseSilence(answers)
  const merged = mergeResults(
    answers.map(({ results }) => results.filter(isHit)),
    k,
  )
  return {
    results: merged.map(({ type, repo, url, title, text, number }, place) => ({
      resultType: type === 'readme' ? ('repo_readme' as const) : ('github_history' as const),
      ...{ repo, url, title, snippet: text.slice(0, 1000) },
      ...(number === undefined ? {} : { pageType: 'issue', number }),
      scores: { rrf: 1 / (60 + place) },
    })),
    replacement: '/v2/search/developer',
    ...warningOf(answers),
  }
}
