import { providers as all } from '../src/search/providers/all.ts'
import { createProviderCaller } from '../src/search/providers/provider-caller.ts'
import { queryAll } from '../src/search/web/search-providers.ts'
import { answerAsProvider, type StandInAnswer } from './servers/search-providers.ts'

export const papers = ['arxiv', 'crossref', 'openalex']
export const code = ['github', 'github-issues']

/** Providers by name, answered by stand-ins; time passes by itself, so that nobody waits for their pace. */
export function searchScene(
  names: string[],
  instead: (url: URL) => StandInAnswer | undefined = () => undefined,
) {
  const calls: string[] = []
  let now = Date.UTC(2026, 0, 1)
  const clock = {
    now() {
      now += 10_000
      return now
    },
  } as never
  const asking = createProviderCaller({
    clock,
    async send({ url }) {
      calls.push(decodeURIComponent(url.pathname + url.search.replaceAll('+', ' ')))
      return { headers: {}, ...(instead(url) ?? answerAsProvider(url)) }
    },
  })
  const place = (name: string) => ({ base: `http://127.0.0.1/${name.replace('github-issues', 'github')}` })
  const asker = { teamId: 'team', isPrivate: false, signal: new AbortController().signal }
  const own: string[] = []
  return {
    ...{ calls, own },
    deps: {
      ...{
        clock,
        providers: all.flatMap((provider) =>
          names.includes(provider.name) ? [{ provider, place: place(provider.name) }] : [],
        ),
      },
      ask: (asked: Parameters<typeof queryAll>[1][number], request: Parameters<typeof queryAll>[2]) =>
        queryAll(asking, [asked], request, asker),
      async searchOwn(query: { clauses: { terms: unknown[] }[] }) {
        own.push(JSON.stringify(query.clauses))
        const isThere = !JSON.stringify(query.clauses).includes('nowhere.example')
        const found = { url: 'https://docs.example/retry', title: 'Retries', beginning: 'How to retry.' }
        const rest = {
          publishedAt: undefined,
          type: 'html',
          image: undefined,
          coverage: 1,
          passage: undefined,
        }
        return { found: isThere ? [{ ...found, ...rest }] : [], documents: 5 } as never
      },
    },
  }
}

export type SearchDeps = ReturnType<typeof searchScene>['deps']

/** One provider that fails. */
export const down = (name: string) => (url: URL) =>
  url.pathname.startsWith(`/${name}/`) ? { status: 500, body: 'down' } : undefined
