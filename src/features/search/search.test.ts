import { expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import type { SearchPages } from '../../search/page-search.ts'
import { parseQuery } from '../../search/query/query.ts'
import { searchRequest, withoutUnavailableSources } from './schema.ts'
import { presentResults, search } from './search.ts'

/** Searches in an installation without providers. `searchPages` implements the index search. */
function searchIndexedPages(searchPages: SearchPages, options: object = {}) {
  const { request } = withoutUnavailableSources(searchRequest.parse({ query: 'tide', ...options }))
  return search(
    {
      ...{
        thread: { ask: async () => Promise.reject(new Error('No text is marked here.')) },
        searchPages,
        indexPermits: new Permits({ count: 1 }),
        log: silentLog,
      },
      providerCaller: { ask: async () => [] },
      providers: { names: [], groupsFor: () => [] },
      clock: { now: () => 0, sleep: async () => {} },
    },
    { id: 'job', teamId: 'team', input: request, spentMs: 0 } as Parameters<typeof search>[1],
    new AbortController().signal,
  )
}

it('fails with a code and a hint if no source can be searched', async () => {
  const failed = searchIndexedPages(async () => Promise.reject(new Error('The disk is full.')))
  await expect(failed).rejects.toMatchObject({
    code: 'SEARCH_ENGINE_FAILED',
    detail: {
      details: ['the own pages could not be searched'],
      hint: expect.stringContaining('SEARCH_PROVIDERS'),
    },
  })
})

it('returns an empty list and one reason if the index of own pages is switched off', async () => {
  const exclusion = 'own pages are not searched, because their index is off'
  const emptyResult = { found: [], documents: 0, withoutVector: 0, unindexed: 0, exclusion }
  expect(await searchIndexedPages(async () => emptyResult, { sources: ['web', 'images'] })).toMatchObject({
    credits: 0,
    result: { data: { web: [], images: [] }, warnings: [`${exclusion}.`] },
  })
  const zdr = "zdr: only search servers of the operator's own were asked."
  expect(await searchIndexedPages(async () => emptyResult, { enterprise: ['zdr'] })).toMatchObject({
    result: { warnings: [`${exclusion}.`, zdr] },
  })
})

const result = { url: 'https://a.test/', title: 'A', text: 'All about tea.' }
const options = {
  ...{ query: parseQuery('tea'), signal: new AbortController().signal },
  lists: [{ source: 'web' as const, results: [result] }],
}

it('presentResults returns results without marks if the index thread fails', async () => {
  const failingThread = { ask: async () => Promise.reject(new Error('file is not a database')) }
  expect(await presentResults(failingThread, options)).toEqual({
    web: [{ title: 'A', description: 'All about tea.', url: 'https://a.test/', position: 1 }],
  })
})

it('presentResults rejects if its caller aborts', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  const failingThread = { ask: async () => Promise.reject(new Error('gone')) }
  await expect(presentResults(failingThread, { ...options, signal })).rejects.toThrow('gone')
})
