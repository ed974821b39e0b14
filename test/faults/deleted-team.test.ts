import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/jobs/sweeper.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openIndex as openSearchIndex, removeTeam } from '../../src/search/index/documents.ts'
import type { SearchStore, SearchTables } from '../../src/search/index/tables.ts'
import { sqliteDatabase } from '../../src/store/database/sqlite.ts'
import type { Store } from '../../src/store/schema.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { rowsOf } from '../team-rows.ts'
import { randomText, type Stored, startStored, stores } from './stored.ts'
import { fillTables, findInFiles, findInTables, partsOf, valuesOf } from './traces-of-team.ts'

const marker = 'Quagmire Ostrich Pamphlet 58213'
const neighbour = 'Lantern Badger Trombone 90417'
const hour = 3600_000

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/marked/:number': (exchange) => {
        const number = Number(exchange.params.number)
        const name = decodeURIComponent(exchange.url.search.slice(1))
        const text = randomText(number + 100 * name.length, number === 0 ? 900_000 : 20_000)
        const next = `<a href="/marked/${number + 1}${exchange.url.search}">${name} next</a>`
        sendHtml(exchange, page(name, `<p>${name}</p>${next}<p>${text}</p>`))
      },
    },
  })
})
afterAll(() => site.stop())

/** Creates a team and stored data of every kind that needs no browser. */
async function createTeamData(
  stored: Stored,
  name: string,
): Promise<{ id: string; key: string; crawl: string }> {
  const operator = (path: string, body: object) => stored.call('POST', path, { body })
  const team = (await operator('/v2/operator/teams', { name })).body.data
  const { key } = (await operator('/v2/operator/keys', { teamId: team.id })).body
  const post = (path: string, body: object) => stored.call('POST', path, { body, key })
  const url = (number: number) => `${site.url}/marked/${number}?${encodeURIComponent(name)}`
  const formats = ['markdown', 'rawHtml', 'changeTracking']
  for (const number of [0, 1, 2])
    expect((await post('/v2/scrape', { url: url(number), formats, maxAge: hour })).status).toBe(200)
  const webhook = { url: `${site.url}/hook`, headers: { 'x-marker': name } }
  const crawl = { url: url(3), limit: 5, sitemap: 'skip', webhook, scrapeOptions: { formats: ['rawHtml'] } }
  const { id } = (await post('/v2/crawl', crawl)).body
  await expect
    .poll(async () => (await stored.call('GET', `/v2/crawl/${id}`, { key })).body.status)
    .toBe('completed')
  return { id: team.id, key, crawl: id }
}

/** Returns the blob names in the rows of a team. All other blobs must belong to the other team. */
function blobsIn(values: Buffer[]): Set<string> {
  return new Set(values.map(String).filter((value) => /^[\w-]+\/[\w.-]+$/.test(value)))
}

describe.each(stores)('a deleted team on %s', { timeout: 180_000 }, (kind) => {
  let stored: Stored
  beforeAll(async () => {
    stored = await startStored(kind)
  })
  afterAll(() => stored.stop())

  const folder = () => stored.environment.DATA_DIR ?? ''

  /** The search index is a separate file next to SQLite. */
  function openIndex(store: Store): SearchStore {
    if (kind === 'sqlite') return sqliteDatabase<SearchTables>(join(folder(), 'search.sqlite'))
    return { ...(store as unknown as SearchStore), close: async () => {} }
  }

  /**
   * Makes deletions fail: disconnects the bucket, or replaces a blob file by a folder. Returns a function that
   * repairs it.
   */
  async function breakBlobs(name: string): Promise<() => Promise<void>> {
    if (stored.bucket) {
      await stored.bucket.cut()
      return () => stored.bucket?.mend() ?? Promise.resolve()
    }
    const path = join(folder(), 'blobs', name)
    rmSync(path)
    mkdirSync(path)
    return async () => rmSync(path, { recursive: true })
  }

  it('leaves no row, blob, index entry or text, even after failed deletions', async () => {
    // Rows of both teams share the pages of the database.
    const [team, other] = await Promise.all([
      createTeamData(stored, marker),
      createTeamData(stored, neighbour),
    ])
    const { store, blobs } = await stored.open()
    const index = openIndex(store)
    await expect.poll(() => rowsOf(index.query, team.id)).toContain('search_indexes')
    await fillTables(store, blobs, { id: team.id, marker })
    const valuesOfTeam = async ({ id }: { id: string }) => [
      ...(await valuesOf(store.query as never, id)),
      ...(await valuesOf(index.query as never, id)),
    ]
    const values = await valuesOfTeam(team)
    let parts = [Buffer.from(marker), ...partsOf(values, await valuesOfTeam(other))]
    const find = () =>
      kind === 'sqlite'
        ? Promise.resolve(findInFiles(folder(), parts))
        : findInTables(stored.environment.DATABASE_URL ?? '', parts)
    // The search finds existing data, so an empty result is meaningful.
    expect((await find()).length).toBeGreaterThan(parts.length / 2)
    expect((await stored.call('DELETE', `/v2/operator/teams/${team.id}`)).status).toBe(200)
    await stored.stopServices()

    const sweepAt = (now: number) =>
      sweep({
        ...{ store, blobs, clock: { now: () => now }, log: silentLog, retentionHours: 24, cacheDays: 2 },
        removeIndexedPages: (id) => removeTeam(openSearchIndex(index), id),
      })
    const teamBlobs = blobsIn(values)
    const allBlobs = await stored.raw.names()
    expect(allBlobs.filter((name) => teamBlobs.has(name)).length).toBeGreaterThan(5)
    const repair = await breakBlobs(
      allBlobs.find((name) => name.startsWith('results/') && teamBlobs.has(name)) ?? '',
    )
    await sweepAt(Date.now() + hour)
    expect([...(await rowsOf(store.query, team.id)), ...(await rowsOf(index.query, team.id))]).toEqual([])
    await repair()
    await sweepAt(Date.now() + 10 * hour)
    const remaining = (await stored.raw.names()).filter((name) => !name.startsWith('installation/'))
    expect(remaining.sort()).toEqual(allBlobs.filter((name) => !teamBlobs.has(name)).sort())
    // The other team may have written the same text since, because traces begin alike.
    const otherValues = await valuesOfTeam(other)
    parts = parts.filter((part) => !otherValues.some((value) => value.includes(part)))
    await index.close()
    await store.close()
    expect([...new Set(await find())]).toEqual([])
    if (kind === 'sqlite') expect(findInFiles(folder(), parts, { vacuum: true })).toEqual([])
  })
})
