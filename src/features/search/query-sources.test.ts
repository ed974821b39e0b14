import { expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import type { SearchPages } from '../../search/page-search.ts'
import { ProviderFailure } from '../../search/providers/provider.ts'
import { wikipedia } from '../../search/providers/wikipedia.ts'
import { parseQuery } from '../../search/query/query.ts'
import { planSearch } from './plan.ts'
import { querySources } from './query-sources.ts'
import { searchRequest, withoutUnavailableSources } from './schema.ts'

const [plan] = planSearch(withoutUnavailableSources(searchRequest.parse({ query: 'tide' })).request, 0)

const noProviders: Pick<Parameters<typeof querySources>[0], 'providerCaller' | 'providers'> = {
  providerCaller: { ask: async () => [] },
  providers: { names: [], groupsFor: () => [] },
}

function runQuery(searchPages: SearchPages, signal = new AbortController().signal, web = noProviders) {
  if (!plan) throw new Error('There is no plan.')
  return querySources(
    {
      ...{
        thread: { ask: async () => Promise.reject(new Error('No text is marked here.')) },
        searchPages: searchPages,
        indexPermits: new Permits({ count: 1 }),
        log: silentLog,
      },
      ...web,
    },
    {
      ...{ plan, showsPassages: true, providerTimeoutMs: 1000, isSelfHostedOnly: false },
      requester: { teamId: 'team', isPrivate: false, signal },
    },
  )
}

it('returns results without the local index if its search fails, with a failure', async () => {
  const { results, failures } = await runQuery(async () => Promise.reject(new Error('The disk is full.')))
  expect({ results, failures }).toEqual({ results: [], failures: ['the own pages could not be searched'] })
})

it('queries the next provider after a failure, none after a response, and reports the failure', async () => {
  const asked: string[] = []
  const groups = ['one', 'two', 'three'].map((name) => [
    { provider: { ...wikipedia, name }, endpoint: { base: '' } },
  ])
  const { answeredBy, failures } = await runQuery(async () => Promise.reject(new Error('none')), undefined, {
    providerCaller: {
      async ask({ provider: { name } }) {
        asked.push(name)
        if (name === 'one') throw new ProviderFailure('blocked', 'one wants a human')
        return []
      },
    },
    providers: { names: [], groupsFor: () => groups },
  })
  expect({ asked, answeredBy }).toEqual({ asked: ['one', 'two'], answeredBy: ['two'] })
  expect(failures).toContain('one wants a human')
})

it('reports that own pages were ranked by words alone if the sentence model did not answer', async () => {
  const facts = { passage: undefined, coverage: 1, beginning: '', publishedAt: undefined, image: undefined }
  const found = [{ url: 'https://a.test/', title: 'Tide', type: 'html', ...facts }]
  // Only index searches are called here.
  const searchPages = (async () => ({ found, documents: 1, lacksMeaning: true })) as unknown as SearchPages
  const { results, unmet } = await runQuery(searchPages)
  expect(results).toHaveLength(1)
  expect(unmet).toContain(
    'own pages were ranked by their words alone, because the sentence model did not answer',
  )
})

it('rejects if its caller aborts', async () => {
  const aborted = AbortSignal.abort(new Error('gone'))
  await expect(runQuery(async () => Promise.reject(new Error('aborted')), aborted)).rejects.toThrow('gone')
})

it('plans a query for each source and category', () => {
  const request = { query: 'tide', sources: ['web', 'images'], categories: ['pdf', 'github'], tbs: 'qdr:d' }
  const plans = planSearch(withoutUnavailableSources(searchRequest.parse(request)).request, 10 * 86_400_000)
  expect(plans.map(({ category, request }) => [request.source, category, request.range.from])).toEqual([
    ['web', 'pdf', 9 * 86_400_000],
    ['web', 'github', 9 * 86_400_000],
    ['images', undefined, undefined],
  ])
  expect(plans[0]?.query).toEqual(parseQuery('tide'))
  expect(plans[0]?.request.query).toEqual(parseQuery('tide filetype:pdf'))
})
