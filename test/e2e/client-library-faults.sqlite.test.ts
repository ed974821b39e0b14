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

/** Runs `work` with a separate client and a separate proxy. The proxy counts the calls of the client. */
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
const errorResponse = (
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
) =>
  answerWith(status, JSON.stringify({ success: false, code, error: 'Refused.', ...more }), {
    'content-type': 'application/json',
    ...headers,
  })

describe.concurrent('a call with a connection fault', () => {
  it('is retried if it only reads', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutBefore, cutWithin, answerWith(502, '<h1>Bad Gateway</h1>'))
      expect(await winnow.team()).toMatchObject({ isOperator: false })
      expect(proxy.calls).toHaveLength(4)
    })
  })

  it('is not retried if it may have been charged, and reports the broken connection', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutAfter)
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.ConnectionError)
      expect(error).toMatchObject({ status: 0, code: 'CONNECTION_FAILED', attempts: 1 })
      expect(proxy.calls).toHaveLength(1)
    })
  })

  it('starts a job once, even if responses are lost', async ({ expect }) => {
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

  it('is cancelled even if the response to the first cancel is lost', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const job = await winnow.startBatch([`${site.url}/held/cancelled`])
      proxy.meet(cutAfter)
      await job.cancel()
      expect(await job.progress()).toMatchObject({ status: 'cancelled' })
    })
  })

  it('waits for the retry delay of the service, up to a maximum', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(
        errorResponse(429, 'RATE_LIMITED', { retryAfter: 1 }),
        errorResponse(503, 'STOPPING', {}, { 'retry-after': '1' }),
      )
      const { markdown } = await winnow.scrape(`${site.url}/article?limited`)
      expect(markdown).toContain('#')
      expect(proxy.calls).toHaveLength(3)

      proxy.meet(errorResponse(429, 'RATE_LIMITED', { retryAfter: 3600 }))
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
      for (const fault of [cutBefore, answerWith(502, 'no'), errorResponse(500, 'JOB_INTERRUPTED')]) {
        proxy.meet(fault)
        const callsBefore = proxy.calls.length
        expect(await failure(winnow.interact(id, { code: '1' }))).toBeInstanceOf(library.WinnowError)
        expect(proxy.calls.length - callsBefore).toBe(1)
      }
      // A retry is safe if the service reports that the code did not start.
      proxy.meet(errorResponse(502, 'CODE_NOT_STARTED'))
      expect(await failure(winnow.interact(id, { code: '1' }))).toMatchObject({ status: 404, attempts: 2 })
    })
  })

  it('retries an interrupted scrape, unless it has actions, which change the site', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const actions = [{ type: 'wait', milliseconds: 1 }] as const
      proxy.meet(errorResponse(500, 'JOB_INTERRUPTED'))
      expect((await winnow.scrape(`${site.url}/article?interrupted`)).markdown).toContain('#')
      const callsBefore = proxy.calls.length
      proxy.meet(errorResponse(500, 'JOB_INTERRUPTED'))
      const error = await failure(winnow.scrape(`${site.url}/article?acted`, { actions: [...actions] }))
      expect(error).toMatchObject({ code: 'JOB_INTERRUPTED', attempts: 1 })
      expect(proxy.calls.length - callsBefore).toBe(1)
    })
  })

  it('is retried as often as the caller allows', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(cutBefore)
      expect(await failure(winnow.team({ retries: 0 }))).toMatchObject({ attempts: 1 })
      proxy.meet(cutBefore, cutBefore)
      expect(await failure(winnow.team({ retries: 1 }))).toMatchObject({ attempts: 2 })
    })
  })
})

describe.concurrent('an unexpected response', () => {
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
  ] as const)('%s is reported as such', async ([, fault, message], { expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(fault)
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.UnexpectedResponseError)
      expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', hint: expect.stringContaining('base URL') })
      expect(error.message).toMatch(message)
      expect(error.message).not.toContain('\u001b')
    })
  })

  it('with a redirect does not send the key to the other site', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(({ response }) => response.writeHead(307, { location: `${site.url}/stolen` }).end())
      const error = await failure(winnow.scrape(`${site.url}/article`))
      expect(error).toBeInstanceOf(library.UnexpectedResponseError)
      expect(error.message).toContain(`redirects to ${site.url}/stolen`)
      expect(site.requests.map(({ path }) => path)).not.toContain('/stolen')
    })
  })
})

describe.concurrent('a caller', () => {
  it('stops waiting after a timeout or an abort, and the service cancels the job', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      proxy.meet(silent)
      const timedOut = await failure(winnow.scrape(`${site.url}/article`, {}, { timeoutMs: 300 }))
      expect(timedOut).toBeInstanceOf(library.CallTimeoutError)
      expect(timedOut).toMatchObject({ code: 'CALL_TIMEOUT', hint: expect.stringContaining('timeoutMs') })
      expect(proxy.calls).toHaveLength(1)
    })
    const winnow = new Winnow({ baseUrl: inject('deployment').urls[0], apiKey: teamKey() })
    const controller = new AbortController()
    const scraping = failure(
      winnow.scrape(`${site.url}/held/aborted`, { maxAge: 0 }, { signal: controller.signal }),
    )
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/held/aborted')
    controller.abort()
    expect((await scraping).name).toBe('AbortError')
    await expect
      .poll(async () => (await winnow.activity({ endpoint: 'scrape', state: 'cancelled' })).data)
      .toMatchObject([{ target: `${site.url}/held/aborted` }])
  })

  it('distinguishes errors of the service by their class', async ({ expect }) => {
    const baseUrl = inject('deployment').urls[0]
    const winnow = new Winnow({ baseUrl, apiKey: teamKey() })
    const unauthenticated = new Winnow({ baseUrl, apiKey: 'fc-nobody' })
    const unknown = '00000000-0000-4000-8000-000000000000'
    const cases: [() => Promise<unknown>, unknown, object][] = [
      [() => unauthenticated.team(), library.AuthenticationError, { status: 401, code: 'UNAUTHORIZED' }],
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
    for (const [work, errorClass, fields] of cases) {
      const error = await failure(work())
      expect(error).toBeInstanceOf(errorClass)
      expect(error).toMatchObject({ ...fields, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) })
      expect(error.message.length).toBeGreaterThan(10)
    }
  })

  it('never sees the key in errors and printed objects', async ({ expect }) => {
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
  it('returns every page once, despite failed calls', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const urls = [1, 2, 3, 4].map((number) => `${site.url}/pages/${number}?shaken`)
      const job = await winnow.startBatch(urls)
      // More consecutive faults than one call retries.
      proxy.meet(cutWithin, answerWith(200, '{"success":true,"da'), errorResponse(503, 'STOPPING'), cutBefore)
      proxy.meet(
        errorResponse(429, 'RATE_LIMITED', { retryAfter: 1 }),
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

  it('ends on the abort signal of the caller, and the job continues', async ({ expect }) => {
    const winnow = new Winnow({ baseUrl: inject('deployment').urls[0], apiKey: teamKey() })
    const job = await winnow.startBatch([`${site.url}/pages/1?left`, `${site.url}/held/left`])
    const controller = new AbortController()
    const reading = failure(
      (async () => {
        for await (const _ of job.pages({ signal: controller.signal })) controller.abort(new Error('enough'))
      })(),
    )
    expect((await reading).message).toBe('enough')
    expect(await job.progress()).toMatchObject({ status: 'scraping', completed: 1 })
    await job.cancel()
  })

  it('of an unknown job fails immediately', async ({ expect }) => {
    await withFaults(async (winnow, proxy) => {
      const missing = winnow.crawlJob('00000000-0000-4000-8000-000000000000')
      expect(await failure(missing.wait())).toMatchObject({ name: 'NotFoundError', code: 'JOB_NOT_FOUND' })
      expect(proxy.calls).toHaveLength(1)
    })
  })
})
