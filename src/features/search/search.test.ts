import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { Permits } from '../../base/permits.ts'
import type { SearchThread } from '../../search/thread/search-thread.ts'
import { withoutAbsentSources } from './absent-sources.ts'
import { searchRequest } from './schema.ts'
import { search } from './search.ts'

/** An installation without providers, whose index answers by `ask`. */
function searchOwn(ask: SearchThread['ask']) {
  const { request } = withoutAbsentSources(searchRequest.parse({ query: 'tide' }))
  return search(
    {
      ...{ thread: { ask }, turns: new Permits({ count: 1 }), log: silentLog },
      asking: { ask: async () => [] },
      providers: { names: [], groupsFor: () => [] },
      clock: { now: () => 0, sleep: async () => {} },
    },
    { id: 'job', teamId: 'team', input: request, spentMs: 0 } as Parameters<typeof search>[1],
    new AbortController().signal,
  )
}

it('fails with a code and a way forward where no source can answer', async () => {
  const failed = searchOwn(async () => Promise.reject(new Error('The disk is full.')))
  await expect(failed).rejects.toMatchObject({
    code: 'SEARCH_ENGINE_FAILED',
    detail: {
      details: ['the own pages could not be searched'],
      hint: expect.stringContaining('SEARCH_PROVIDERS'),
    },
  })
})
