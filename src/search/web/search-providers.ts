import type { AskedProvider, Asker, Asking } from '../providers/ask.ts'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from '../providers/provider.ts'
import { fitResults } from './fit-results.ts'
import { mergeResults } from './merge-results.ts'

export interface WebAnswer {
  results: ProviderResult[]
  /** Who answered. */
  by: string[]
  /** Who could not answer, and why. */
  failures: string[]
  unmet: string[]
}

/** The first provider that answers is enough for the open web; an empty answer is one. */
export async function askFirst(
  asking: Asking,
  providers: readonly AskedProvider[],
  request: ProviderRequest,
  asker: Asker,
): Promise<WebAnswer> {
  const failures: string[] = []
  for (const asked of providers) {
    const answer = await askOne(asking, asked, request, asker)
    if (!('failure' in answer)) return { ...answer, by: [asked.provider.name], failures }
    failures.push(answer.failure)
  }
  return { results: [], by: [], failures, unmet: [] }
}

/** Providers that know different things are asked together, and their results become one list. */
export async function askAll(
  asking: Asking,
  providers: readonly AskedProvider[],
  request: ProviderRequest,
  asker: Asker,
): Promise<WebAnswer> {
  const answers = await Promise.all(providers.map((asked) => askOne(asking, asked, request, asker)))
  const given = answers.flatMap((answer, index) =>
    'failure' in answer ? [] : [{ ...answer, name: providers[index]?.provider.name ?? '' }],
  )
  return {
    results: mergeResults(
      given.map(({ results }) => results),
      request.most,
    ),
    by: given.map(({ name }) => name),
    failures: answers.flatMap((answer) => ('failure' in answer ? [answer.failure] : [])),
    unmet: [...new Set(given.flatMap(({ unmet }) => unmet))],
  }
}

async function askOne(
  asking: Asking,
  asked: AskedProvider,
  request: ProviderRequest,
  asker: Asker,
): Promise<{ results: ProviderResult[]; unmet: string[] } | { failure: string }> {
  try {
    const { results, unmet } = fitResults(asked.provider, request, await asking.ask(asked, request, asker))
    return { results: results.slice(0, request.most), unmet }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) return { failure: thrown.message }
    throw thrown
  }
}
