import { providers as all } from '../src/search/providers/all.ts'
import { createProviderCaller } from '../src/search/providers/provider-caller.ts'
import { queryAll } from '../src/search/web/search-providers.ts'
import { answerAsProvider, type StandInAnswer } from './servers/search-providers.ts'

export const papers = ['arxiv', 'crossref', 'openalex']
export const code = ['github', 'github-issues']

/** Creates simulated providers by name. The clock advances with every read, so that no test waits for rate limits. */
export function searchScene(
  names: string[],
  override: (url: URL) => StandInAnswer | undefined = () => undefined,
) {
  const calls: string[] = []
  let now = Date.UTC(2026, 0, 1)
  const clock = {
    now() {
      now += 10_000
      return now
    },
  } as never
  const callProvider = createProviderCaller({
    clock,
    async send({ url }) {
      calls.push(decodeURIComponent(url.pathname + url.search.replaceAll('+', ' ')))
      return { headers: {}, ...(override(url) ?? answerAsProvider(url)) }
    },
  })
  const locate = (name: string) => ({ base: `http://127.0.0.1/${name.replace('github-issues', 'github')}` })
  const caller = { teamId: 'team', isPrivate: false, signal: new AbortController().signal }
  const localQueries: string[] = []
  return {
    ...{ calls, own: localQueries },
    deps: {
      ...{
        clock,
        providers: all.flatMap((provider) =>
          names.includes(provider.name) ? [{ provider, endpoint: locate(provider.name) }] : [],
        ),
      },
      queryProvider: (
        provider: Parameters<typeof queryAll>[1][number],
        request: Parameters<typeof queryAll>[2],
      ) => queryAll(callProvider, [provider], request, caller),
      async searchIndexedPages(query: { clauses: { terms: unknown[] }[] }) {
        localQueries.push(JSON.stringify(query.clauses))
        const hasResult = !JSON.stringify(query.clauses).includes('nowhere.example')
        const result = { url: 'https://docs.example/retry', title: 'Retries', beginning: 'How to retry.' }
        const defaults = {
          publishedAt: undefined,
          type: 'html',
          image: undefined,
          coverage: 1,
          passage: undefined,
        }
        return { found: hasResult ? [{ ...result, ...defaults }] : [], documents: 5 } as never
      },
    },
  }
}

export type SearchDeps = ReturnType<typeof searchScene>['deps']

/** Simulates the failure of one provider. */
export const down = (name: string) => (url: URL) =>
  url.pathname.startsWith(`/${name}/`) ? { status: 500, body: 'down' } : undefined
