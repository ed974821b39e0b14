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
      // Larger than what is kept in a row.
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

/** Pause of a caller after a response. The short form sends fewer calls during a fault, not fewer kinds of them. */
const pauseMs = isWhole ? 0 : 100

/** Repeats calls until the test stops it. */
function callers(count: number, body: () => object) {
  const answers: Answer[] = []
  let isOver = false
  const lines = Array.from({ length: count }, async () => {
    while (!isOver) {
      const answer = await fleet.call('POST', '/v2/scrape', { body: body() })
      answers.push(answer)
      await sleep(answer.status === 200 ? pauseMs : 200)
    }
  })
  return {
    answers,
    /** Waits until each of them has been answered well from now on. */
    async succeedAgain() {
      const before = answers.length
      const isGood = ({ status }: Answer) => status === 200
      await until('calls to succeed again', 60_000, async () =>
        answers.slice(before).filter(isGood).length > count ? true : undefined,
      )
    },
    async stop() {
      isOver = true
      await Promise.all(lines)
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

async function finished(id: string): Promise<Json> {
  await expect
    .poll(async () => (await fleet.call('GET', `/v2/batch/scrape/${id}`)).body.status, {
      timeout: 90_000,
      interval: 250,
    })
    .toBe('completed')
  return (await fleet.call('GET', `/v2/batch/scrape/${id}`)).body
}

/** What a caller may meet while a part is away: never a 500, and always when to come again. */
function faults(answers: Answer[]): string[] {
  return answers
    .filter(({ status }) => status !== 200)
    .filter(
      ({ status, body, headers }) =>
        !(status === 503 && body.code === 'STORE_UNAVAILABLE' && body.part && headers.get('retry-after')),
    )
    .map(({ status, body }) => `${status} ${body.code} ${body.error}`)
}

const small = () => ({ url: `${site.url}/slow?ms=20&n=${Math.random()}`, maxAge: 0, timeout: 60_000 })

describe('a restart of the database', { timeout: 180_000 }, () => {
  it('costs callers a 503, never the process, and background work goes on', async () => {
    const { id } = (await fleet.call('POST', '/v2/batch/scrape', { body: batchOf(60, '/slow?ms=200') })).body
    const calling = callers(4, small)
    await until('the first calls', 30_000, async () => calling.answers.length >= 4 || undefined)
    fleet.postgres.restart(2000)
    await sleep(2000)
    await calling.succeedAgain()
    await calling.stop()
    expect(areAlive()).toBe(true)
    expect(faults(calling.answers)).toEqual([])
    expect(calling.answers.at(-1)?.status).toBe(200)
    expect(await finished(id)).toMatchObject({ completed: 60, total: 60 })
  })

  it('by a crash does the same', async () => {
    const { id } = (await fleet.call('POST', '/v2/batch/scrape', { body: batchOf(30, '/slow?ms=100') })).body
    const calling = callers(4, small)
    await sleep(500)
    // Backends are killed one by one, as an administrator would; connections break in the middle of everything.
    for (let round = 0; round < 5; round += 1) {
      await fleet.read(
        'select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
      await sleep(200)
    }
    await calling.stop()
    expect(areAlive()).toBe(true)
    expect(faults(calling.answers)).toEqual([])
    expect(await finished(id)).toMatchObject({ completed: 30, total: 30 })
  })
})

describe('a database that hangs', { timeout: 180_000 }, () => {
  it('shows in the readiness, and calls get an answer', async () => {
    const thaw = fleet.postgres.freeze()
    try {
      const [ready, answer] = await Promise.all([
        fleet.call('GET', '/health/ready'),
        fleet.call('POST', '/v2/scrape', { body: small() }),
      ])
      expect(ready.status).toBe(503)
      expect(ready.body.parts.store).not.toBe('ok')
      expect(answer.status).toBe(503)
      expect((await fleet.call('GET', '/health/live')).status).toBe(200)
    } finally {
      thaw()
    }
    await until('a call to succeed', 60_000, async () =>
      (await fleet.call('POST', '/v2/scrape', { body: small() })).status === 200 ? true : undefined,
    )
  })
})

describe('a database that hangs during a call of a tool', { timeout: 180_000 }, () => {
  it.runIf(isWhole)('ends the call with a code, and the next one succeeds', async () => {
    const mcp = await connect('legacy', { url: fleet.services[0]?.url ?? '', key: fleet.key })
    const url = `${site.url}/slow?ms=40000&tool`
    const waiting = mcp.use('batch_scrape', { urls: [url], waitSeconds: 60 }, { timeout: 90_000 })
    await until('the page to be asked for', 30_000, async () =>
      site.requests.some(({ path }) => path.endsWith('&tool')) ? true : undefined,
    )
    const thaw = fleet.postgres.freeze()
    const answer = await waiting.finally(thaw)
    expect([answer.isError, answer.text]).toEqual([true, expect.stringMatching(/^STORE_UNAVAILABLE: ./)])
    expect(answer.text).toMatch(/retryAfter: \d+/)
    expect(areAlive()).toBe(true)
    // Before its key is known to be good, a call has no tool that could tell what is wrong.
    const next = () => mcp.use('scrape', small()).catch(() => undefined)
    await until('a tool to succeed', 60_000, async () =>
      (await next())?.isError === false ? true : undefined,
    )
    await mcp.close()
  })
})

describe('a bucket that is away', { timeout: 180_000 }, () => {
  it('frees the slots within seconds of its return, and loses nothing', async () => {
    const large = '/large?x'
    const { id } = (
      await fleet.call('POST', '/v2/batch/scrape', { body: { ...batchOf(16, large), formats: ['rawHtml'] } })
    ).body
    await fleet.bucket.cut()
    const calling = callers(4, () => ({
      ...small(),
      url: `${site.url}${large}&n=${Math.random()}`,
      formats: ['rawHtml'],
    }))
    // Longer than a caller is kept waiting for a blob.
    await sleep(7000)
    await fleet.bucket.mend()
    await until('the bucket to be back', 20_000, async () =>
      (await fleet.call('GET', '/health/ready')).status === 200 ? true : undefined,
    )
    await until('a free slot', 15_000, async () =>
      (await fleet.call('POST', '/v2/scrape', { body: small() })).status === 200 ? true : undefined,
    )
    await calling.stop()
    // Pages that cannot be written yet hold their slots meanwhile.
    const others = calling.answers.filter(({ body }) => body.code !== 'CONCURRENCY_QUEUE_TIMEOUT')
    expect(faults(others)).toEqual([])
    expect(await finished(id)).toMatchObject({ completed: 16 })
  })
})
