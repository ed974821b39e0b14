import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Json } from '../api.ts'
import { connect } from '../mcp.ts'
import { until } from '../servers/until.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'

let site: Site
let fleet: Fleet
beforeAll(async () => {
  site = await startSite({
    routes: {
      // Exceeds the size that is stored in a row.
      '/large': ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(
          `<title>Large</title>${'<p>A sentence that is as long as any other.</p>'.repeat(20_000)}`,
        )
      },
    },
  })
  fleet = await startFleet(['all', 'worker'], { TEAM_CREDITS: '1000000', TEAM_CONCURRENCY: '8' })
})
afterAll(async () => {
  await fleet.stop()
  await site.stop()
})

const areAlive = () =>
  fleet.services.every(({ process }) => process.exitCode === null && process.signalCode === null)

/**
 * Pause of a caller after a response. The short form sends fewer calls during a fault, but the same kinds of calls.
 */
const pauseMs = isWhole ? 0 : 100

/** Repeats calls until the test stops it. */
function startCallers(count: number, body: () => object) {
  const answers: Answer[] = []
  let isOver = false
  const loops = Array.from({ length: count }, async () => {
    while (!isOver) {
      const response = await fleet.call('POST', '/v2/scrape', { body: body() })
      answers.push(response)
      await sleep(response.status === 200 ? pauseMs : 200)
    }
  })
  return {
    answers,
    /** Waits until all callers have received successful responses again. */
    async succeedAgain() {
      const before = answers.length
      const isGood = ({ status }: Answer) => status === 200
      await until('calls to succeed again', 60_000, async () =>
        answers.slice(before).filter(isGood).length > count ? true : undefined,
      )
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

const batchOf = (count: number, path: string) => ({
  urls: Array.from(
    { length: count },
    () => `${site.url}${path}${path.includes('?') ? '&' : '?'}n=${Math.random()}`,
  ),
  maxAge: 0,
})

async function waitForCompletion(id: string): Promise<Json> {
  await expect
    .poll(async () => (await fleet.call('GET', `/v2/batch/scrape/${id}`)).body.status, {
      timeout: 90_000,
      interval: 250,
    })
    .toBe('completed')
  return (await fleet.call('GET', `/v2/batch/scrape/${id}`)).body
}

/**
 * Returns responses that are not allowed during an outage: everything except 200, and 503 with code, part and
 * Retry-After.
 */
function findUnexpected(responses: Answer[]): string[] {
  return responses
    .filter(({ status }) => status !== 200)
    .filter(
      ({ status, body, headers }) =>
        !(status === 503 && body.code === 'STORE_UNAVAILABLE' && body.part && headers.get('retry-after')),
    )
    .map(({ status, body }) => `${status} ${body.code} ${body.error}`)
}

const small = () => ({ url: `${site.url}/slow?ms=20&n=${Math.random()}`, maxAge: 0, timeout: 60_000 })

describe('a restart of the database', { timeout: 180_000 }, () => {
  it('returns 503 to callers, does not end the process, and background work continues', async () => {
    const { id } = (await fleet.call('POST', '/v2/batch/scrape', { body: batchOf(60, '/slow?ms=200') })).body
    const calling = startCallers(4, small)
    await until('the first calls', 30_000, async () => calling.answers.length >= 4 || undefined)
    fleet.postgres.restart(2000)
    await sleep(2000)
    await calling.succeedAgain()
    await calling.stop()
    expect(areAlive()).toBe(true)
    expect(findUnexpected(calling.answers)).toEqual([])
    expect(calling.answers.at(-1)?.status).toBe(200)
    expect(await waitForCompletion(id)).toMatchObject({ completed: 60, total: 60 })
  })

  it('after a crash has the same effects', async () => {
    const { id } = (await fleet.call('POST', '/v2/batch/scrape', { body: batchOf(30, '/slow?ms=100') })).body
    const calling = startCallers(4, small)
    await sleep(500)
    // Terminate backends one by one, as an administrator would, so that connections break during arbitrary work.
    for (let round = 0; round < 5; round += 1) {
      await fleet.read(
        'select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
      await sleep(200)
    }
    await calling.stop()
    expect(areAlive()).toBe(true)
    expect(findUnexpected(calling.answers)).toEqual([])
    expect(await waitForCompletion(id)).toMatchObject({ completed: 30, total: 30 })
  })
})

describe('a database that hangs', { timeout: 180_000 }, () => {
  it('is reported by readiness, and calls get a response', async () => {
    const unfreeze = fleet.postgres.freeze()
    try {
      const [ready, response] = await Promise.all([
        fleet.call('GET', '/health/ready'),
        fleet.call('POST', '/v2/scrape', { body: small() }),
      ])
      expect(ready.status).toBe(503)
      expect(ready.body.parts.store).not.toBe('ok')
      expect(response.status).toBe(503)
      expect((await fleet.call('GET', '/health/live')).status).toBe(200)
    } finally {
      unfreeze()
    }
    await until('a call to succeed', 60_000, async () =>
      (await fleet.call('POST', '/v2/scrape', { body: small() })).status === 200 ? true : undefined,
    )
  })
})

describe('a database that hangs during a tool call', { timeout: 180_000 }, () => {
  it.runIf(isWhole)('ends the call with a code, and the next call succeeds', async () => {
    const mcp = await connect('legacy', { url: fleet.services[0]?.url ?? '', key: fleet.key })
    const url = `${site.url}/slow?ms=40000&tool`
    const waiting = mcp.callTool('batch_scrape', { urls: [url], waitSeconds: 60 }, { timeout: 90_000 })
    await until('the page to be asked for', 30_000, async () =>
      site.requests.some(({ path }) => path.endsWith('&tool')) ? true : undefined,
    )
    const unfreeze = fleet.postgres.freeze()
    const result = await waiting.finally(unfreeze)
    expect([result.isError, result.text]).toEqual([true, expect.stringMatching(/^STORE_UNAVAILABLE: ./)])
    expect(result.text).toMatch(/retryAfter: \d+/)
    expect(areAlive()).toBe(true)
    // Until the key is verified, a call has no tool that could report the error.
    const callAgain = () => mcp.callTool('scrape', small()).catch(() => undefined)
    await until('a tool to succeed', 60_000, async () =>
      (await callAgain())?.isError === false ? true : undefined,
    )
    await mcp.close()
  })
})

describe('an unavailable bucket', { timeout: 180_000 }, () => {
  it('frees the slots within seconds after its return, and loses no results', async () => {
    const large = '/large?x'
    const { id } = (
      await fleet.call('POST', '/v2/batch/scrape', { body: { ...batchOf(16, large), formats: ['rawHtml'] } })
    ).body
    await fleet.bucket.cut()
    const calling = startCallers(4, () => ({
      ...small(),
      url: `${site.url}${large}&n=${Math.random()}`,
      formats: ['rawHtml'],
    }))
    // Longer than the service lets a caller wait for a blob.
    await sleep(7000)
    await fleet.bucket.mend()
    await until('the bucket to be back', 20_000, async () =>
      (await fleet.call('GET', '/health/ready')).status === 200 ? true : undefined,
    )
    await until('a free slot', 15_000, async () =>
      (await fleet.call('POST', '/v2/scrape', { body: small() })).status === 200 ? true : undefined,
    )
    await calling.stop()
    // Meanwhile, pages that cannot be written yet occupy their slots.
    const relevant = calling.answers.filter(({ body }) => body.code !== 'CONCURRENCY_QUEUE_TIMEOUT')
    expect(findUnexpected(relevant)).toEqual([])
    expect(await waitForCompletion(id)).toMatchObject({ completed: 16 })
  })
})
