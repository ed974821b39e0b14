import { once } from 'node:events'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import * as library from '../../client/src/index.ts'
import { type Json, teamKey } from '../api.ts'
import {
  answerWith,
  cutAfter,
  cutBefore,
  cutWithin,
  type FaultyProxy,
  silent,
  startFaultyProxy,
} from '../servers/faulty-proxy.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/held/:page': ({ signal }) => once(signal, 'abort') } })
})
afterAll(() => site.stop())

const { Winnow } = library

/** A proxy and a client of its own for each test; what the client did is counted there. */
async function withFaults<Result>(
  work: (winnow: library.Winnow, proxy: FaultyProxy) => Promise<Result>,
  options: library.WinnowOptions = {},
): Promise<Result> {
  const proxy = await startFaultyProxy(inject('deployment').urls[0] ?? '')
  try {
    return await work(new Winnow({ baseUrl: proxy.url, apiKey: teamKey(), ...options }), proxy)
  } finally {
    await proxy.stop()
  }
}
const failure = (work: Promise<unknown>): Promise<Json> =>
  work.then(
    () => undefined,
    (thrown) => thrown,
  )
const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  answerWith(status, JSON.stringify({ success: false, code, error: 'Refused.', ...more }), {
    'content-type': 'application/json',
    ...headers,
  })

describe.concurrent('a call that meets a fault', () => {
  it('is made again where it only reads', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutBefore, cutWithin, answerWith(502, '<h1>Bad Gateway</h1>'))
      expect(await winnow.team()).toMatchObject({ isOperator: false })
      expect(proxy.calls).toHaveLength(4)
    })
  })

  it('is not made again where it may have been charged, and says that the connection broke', async ({
    expect,
  }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutAfter)
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.ConnectionError)
      expect(error).toMatchObject({ status: 0, code: 'CONNECTION_FAILED', attempts: 1 })
      expect(proxy.calls).toHaveLength(1)
    })
  })

  it('starts a job once, however often the answer is lost', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutAfter, cutAfter)
      const job = await winnow.startBatch([`${site.url}/pages/1?once`])
      const keys = new Set(proxy.calls.map(({ headers }) => headers['x-idempotency-key']))
      expect([proxy.calls.length, keys.size]).toEqual([3, 1])
      const { data } = await winnow.activity({ endpoint: 'batch_scrape', limit: 100 })
      expect(data.map(({ id }) => id)).toContain(job.id)
      expect(await job.wait()).toMatchObject({ status: 'completed', completed: 1 })
    })
  })

  it('is cancelled where the answer to the first cancel was lost', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const job = await winnow.startBatch([`${site.url}/held/cancelled`])
      proxy.meet(cutAfter)
      await job.cancel()
      expect(await job.progress()).toMatchObject({ status: 'cancelled' })
    })
  })

  it('waits as long as the service asks for, and no longer than a call may hide', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(
        refusal(429, 'RATE_LIMITED', { retryAfter: 1 }),
        refusal(503, 'STOPPING', {}, { 'retry-after': '1' }),
      )
      const { markdown } = await winnow.scrape(`${site.url}/article?limited`)
      expect(markdown).toContain('#')
      expect(proxy.calls).toHaveLength(3)

      proxy.meet(refusal(429, 'RATE_LIMITED', { retryAfter: 3600 }))
      const error = await failure(winnow.team())
      expect(error).toBeInstanceOf(library.RateLimitError)
      expect(error).toMatchObject({ retryAfter: 3600, attempts: 1 })

      const later = new Date(Date.now() + 7200_000).toUTCString()
      proxy.meet(answerWith(503, 'Maintenance', { 'retry-after': later }))
      expect((await failure(winnow.team())).retryAfter).toBeGreaterThan(7000)
    })
  })

  it('never runs code twice', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const id = '00000000-0000-4000-8000-000000000000'
      for (const fault of [cutBefore, answerWith(502, 'no'), refusal(500, 'JOB_INTERRUPTED')]) {
        proxy.meet(fault)
        const before = proxy.calls.length
        expect(await failure(winnow.interact(id, { code: '1' }))).toBeInstanceOf(library.WinnowError)
        expect(proxy.calls.length - before).toBe(1)
      }
      // Unless the service says that it did not begin.
      proxy.meet(refusal(502, 'CODE_NOT_STARTED'))
      expect(await failure(winnow.interact(id, { code: '1' }))).toMatchObject({ status: 404, attempts: 2 })
    })
  })

  it('is repeated as often as the caller wants', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutBefore)
      expect(await failure(winnow.team({ retries: 0 }))).toMatchObject({ attempts: 1 })
      proxy.meet(cutBefore, cutBefore)
      expect(await failure(winnow.team({ retries: 1 }))).toMatchObject({ attempts: 2 })
    })
  })
})

describe.concurrent('an answer that is not one', () => {
  it.for([
    [
      'a page of a proxy',
      answerWith(200, '<html>\u001b[31mPlease log in</html>'),
      /<html> \[31mPlease log in/,
    ],
    ['JSON that is cut short', answerWith(200, '{"success":true,"data":{"mark'), /not one of Winnow/],
    ['JSON that is no object', answerWith(200, '[1,2]'), /not one of Winnow/],
    ['nothing', answerWith(200, ''), /it is empty/],
    ['an error of something else', answerWith(404, '{"message":"no Route matched"}'), /status 404/],
  ] as const)('%s is reported as such', async ([, fault, says], { expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(fault)
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.UnexpectedAnswerError)
      expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', hint: expect.stringContaining('base URL') })
      expect(error.message).toMatch(says)
      expect(error.message).not.toContain('\u001b')
    })
  })

  it('does not take the key elsewhere', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(({ response }) => response.writeHead(307, { location: `${site.url}/stolen` }).end())
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.UnexpectedAnswerError)
      expect(error.message).toContain(`redirects to ${site.url}/stolen`)
      expect(site.requests.map(({ path }) => path)).not.toContain('/stolen')
    })
  })
})

describe.concurrent('a caller', () => {
  it('gives up by a time limit or a signal, which the service notices', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(silent)
      const late = await failure(winnow.scrape(`${site.url}/article`, {}, { timeoutMs: 300 }))
      expect(late).toBeInstanceOf(library.CallTimeoutError)
      expect(late).toMatchObject({ code: 'CALL_TIMEOUT', hint: expect.stringContaining('timeoutMs') })
      expect(proxy.calls).toHaveLength(1)
    })
    const winnow = new Winnow({ baseUrl: inject('deployment').urls[0], apiKey: teamKey() })
    const leaving = new AbortController()
    const scraping = failure(
      winnow.scrape(`${site.url}/held/aborted`, { maxAge: 0 }, { signal: leaving.signal }),
    )
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/held/aborted')
    leaving.abort()
    expect((await scraping).name).toBe('AbortError')
    await expect
      .poll(async () => (await winnow.activity({ endpoint: 'scrape', state: 'cancelled' })).data)
      .toMatchObject([{ target: `${site.url}/held/aborted` }])
  })

  it('tells errors of the service apart by their class', async ({ expect }) => {
    const baseUrl = inject('deployment').urls[0]
    const winnow = new Winnow({ baseUrl, apiKey: teamKey() })
    const stranger = new Winnow({ baseUrl, apiKey: 'fc-nobody' })
    const unknown = '00000000-0000-4000-8000-000000000000'
    const cases: [() => Promise<unknown>, unknown, object][] = [
      [() => stranger.team(), library.AuthenticationError, { status: 401, code: 'UNAUTHORIZED' }],
      [() => winnow.operator.teams(), library.PermissionError, { code: 'OPERATOR_KEY_REQUIRED' }],
      [() => winnow.crawlJob(unknown).progress(), library.NotFoundError, { code: 'JOB_NOT_FOUND' }],
      [
        () => winnow.scrape('no address'),
        library.InvalidRequestError,
        { status: 400, details: expect.anything() },
      ],
      [
        () => winnow.scrape('http://no-such-host.invalid/'),
        library.ScrapeError,
        { code: 'SCRAPE_DNS_RESOLUTION_ERROR', jobId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ],
      [
        () => winnow.scrape(`${site.url}/hang?timeout`, { timeout: 1000, maxAge: 0 }),
        library.ScrapeError,
        { phase: expect.any(String) },
      ],
    ]
    for (const [work, kind, facts] of cases) {
      const error = await failure(work())
      expect(error).toBeInstanceOf(kind)
      expect(error).toMatchObject({ ...facts, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) })
      expect(error.message.length).toBeGreaterThan(10)
    }
  })

  it('does not see its key in errors and in what is printed', async ({ expect }) => {
    const apiKey = 'fc-secret-of-mine'
    const winnow = new Winnow({ baseUrl: 'http://127.0.0.1:9', apiKey, retries: 0 })
    const error = await failure(winnow.team())
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', hint: expect.stringContaining('WINNOW_URL') })
    expect(inspect([winnow, error, winnow.crawlJob('1')], { depth: 9, showHidden: true })).not.toContain(
      apiKey,
    )
    expect(() => new Winnow({ apiKey: 'fc-a\nb' })).toThrow(/^apiKey has characters/)
    for (const baseUrl of ['ftp://a.example', 'a.example', 'http://user:pass@a.example'])
      expect(() => new Winnow({ baseUrl })).toThrow(/^baseUrl/)
    expect(new Winnow({ baseUrl: 'https://a.example/data/v2/' }).baseUrl).toBe('https://a.example/data')
  })
})

describe.concurrent('an iteration', () => {
  it('hands over every page once, whatever happens to its calls', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const urls = [1, 2, 3, 4].map((number) => `${site.url}/pages/${number}?shaken`)
      const job = await winnow.startBatch(urls)
      // More in a row than one call repeats.
      proxy.meet(cutWithin, answerWith(200, '{"success":true,"da'), refusal(503, 'STOPPING'), cutBefore)
      proxy.meet(
        refusal(429, 'RATE_LIMITED', { retryAfter: 1 }),
        answerWith(502, '<h1>Bad Gateway</h1>'),
        cutWithin,
      )
      const seen: unknown[] = []
      for await (const { metadata } of job.pages({ pageSize: 1 })) {
        seen.push(metadata.url)
        proxy.meet(cutWithin)
      }
      expect(seen.sort()).toEqual(urls)
    })
  })

  it('ends with the signal of the caller, and the job goes on', async ({ expect }) => {
    const winnow = new Winnow({ baseUrl: inject('deployment').urls[0], apiKey: teamKey() })
    const job = await winnow.startBatch([`${site.url}/pages/1?left`, `${site.url}/held/left`])
    const leaving = new AbortController()
    const reading = failure(
      (async () => {
        for await (const _ of job.pages({ signal: leaving.signal })) leaving.abort(new Error('enough'))
      })(),
    )
    expect((await reading).message).toBe('enough')
    expect(await job.progress()).toMatchObject({ status: 'scraping', completed: 1 })
    await job.cancel()
  })

  it('of a job that is not there says so at once', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const missing = winnow.crawlJob('00000000-0000-4000-8000-000000000000')
      expect(await failure(missing.wait())).toMatchObject({ name: 'NotFoundError', code: 'JOB_NOT_FOUND' })
      expect(proxy.calls).toHaveLength(1)
    })
  })
})
