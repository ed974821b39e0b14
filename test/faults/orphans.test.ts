import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/jobs/sweeper.ts'
import { silentLog } from '../../src/platform/log.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { randomText, type Stored, startStored, stores } from './stored.ts'

const hour = 3600_000

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/long/:number': (exchange) =>
        sendHtml(exchange, page('Long', `<p>${randomText(Number(exchange.params.number), 900_000)}</p>`)),
    },
  })
})
afterAll(() => site.stop())

describe.each(stores)('a blob and its row on %s', { timeout: 120_000 }, (kind) => {
  let stored: Stored
  beforeAll(async () => {
    stored = await startStored(kind)
  })
  afterAll(() => stored.stop())

  it('are found by a sweep if one of them is missing', async () => {
    for (const number of [1, 2]) {
      const body = { url: `${site.url}/long/${number}`, formats: ['rawHtml'], maxAge: hour }
      expect((await stored.call('POST', '/v2/scrape', { body })).status).toBe(200)
    }
    const { store, blobs } = await stored.open()
    const pages = () => store.query.selectFrom('pages').select(['blob', 'url']).orderBy('url').execute()
    const results = () => store.query.selectFrom('jobs').select('result_blob').orderBy('created_at').execute()
    await expect.poll(async () => (await pages()).length).toBe(2)
    const [lostPage, remainingPage] = await pages()
    const [lostResult, remainingResult] = await results()
    await stored.raw.remove(lostPage?.blob ?? '')
    await stored.raw.remove(lostResult?.result_blob ?? '')
    const orphans = ['results/left-by-a-crash', 'pages/left-by-a-failed-delete']
    for (const name of orphans) await stored.raw.write(name, Buffer.from('left behind'))

    const errors: object[] = []
    const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
    const sweepAt = (now: number) =>
      sweep({
        ...{ store, blobs, clock: { now: () => now }, log, retentionHours: 1000, cacheDays: 100 },
        removeIndexedPages: async () => {},
      })
    // The first sweep marks the blob storage as belonging to this installation. Sweeps compare blobs and rows only if
    // the mark is a day old.
    await sweepAt(Date.now())
    await sweepAt(Date.now() + 25 * hour)
    // A blob without a row is kept for a week, because the configured database may be the wrong one.
    expect(await stored.raw.names()).toEqual(expect.arrayContaining(orphans))
    expect((await pages()).map(({ blob }) => blob)).toEqual([remainingPage?.blob])
    // A result cannot be computed again, so its row stays. The sweep logs an error, and reading the result returns an
    // error code.
    expect(errors).toContainEqual(expect.objectContaining({ blob: lostResult?.result_blob, table: 'jobs' }))
    expect(await results()).toEqual([lostResult, remainingResult])
    await sweepAt(Date.now() + 9 * 24 * hour)
    const names = (await stored.raw.names()).filter((name) => !name.startsWith('installation/'))
    expect(names.sort()).toEqual([remainingPage?.blob, remainingResult?.result_blob].sort())
    await store.close()
  })
})
