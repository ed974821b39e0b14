import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countedBlobs } from '../../../test/counted-blobs.ts'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { writeValues } from '../../content/diff.ts'
import { createPageReader } from '../../extraction/workers/page-reader.ts'
import { removeUnusedBlobs } from '../../jobs/remove-blobs.ts'
import { silentLog } from '../../platform/log.ts'
import { postgresDatabase } from '../../store/database/postgres.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import { createTeam } from '../../store/teams.ts'
import { createChangeHistory } from './change-tracking.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-history-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('on SQLite', () => {
  let store: Store
  beforeAll(async () => {
    store = sqliteDatabase<Tables>(join(folder, 'history.sqlite'))
    await migrate(store)
  })
  afterAll(() => store.close())
  historyTests(() => store)
})

describe('on PostgreSQL', () => {
  let server: PostgresServer
  let store: Store
  beforeAll(async () => {
    server = await startPostgres()
    store = postgresDatabase<Tables>(await server.createDatabase(), silentLog)
    await migrate(store)
  })
  afterAll(async () => {
    await store.close()
    await server.stop()
  })
  historyTests(() => store)
})

const url = 'https://site.example/page'
const limits = { threads: 2, spare: 1, megabytes: 512, idleMs: 60_000, graceMs: 50, answerBytes: 1e8 }
const reader = createPageReader(limits, silentLog)
afterAll(() => reader.stop())
const alive = new AbortController().signal
const untagged = { tag: null, showsDifference: true }
/** Too long for a row even when compressed. In few lines, as comparing thousands of different lines takes a second. */
const longText = (seed: number) =>
  Array.from({ length: 10_000 }, (_, index) => hash('sha256', `${seed} ${index}`, 'base64'))
    .map((words, index) => (index % 100 === 99 ? `${words}\n` : words))
    .join('')

function pageAt(fetchedAt: number, status = 200) {
  return { requestedUrl: url, url, status, headers: {}, bytes: new Uint8Array(), fetchedAt }
}

function historyTests(open: () => Store): void {
  let teamId: string
  let blobs: ReturnType<typeof countedBlobs>
  beforeEach(async () => {
    teamId = (await createTeam(open().query, { name: `${Math.random()}`, balance: null, now: 0 })).id
    blobs = countedBlobs(folder)
  })
  const deps = () => ({ store: open(), blobs, reader })
  const history = (fetchedAt: number, { address = url, status = 200, team = teamId } = {}) =>
    createChangeHistory(
      deps(),
      { who: { team }, url: new URL(address), page: pageAt(fetchedAt, status) },
      { signal: alive },
    )
  async function track(markdown: string, fetchedAt: number, tag: string | null = null) {
    const tracked = history(fetchedAt)
    const comparison = await tracked.compare(markdown, { tag, showsDifference: true })
    await tracked.commit()
    return comparison
  }
  const removeUnused = () =>
    removeUnusedBlobs({ store: open(), blobs, clock: { now: () => Date.now() }, log: silentLog })

  it('knows nothing of a page the first time, and its last version from then on', async () => {
    expect(await track('one', 1000)).toEqual({ changeStatus: 'new', previousAt: undefined })
    expect(await track('one', 2000)).toEqual({
      changeStatus: 'same',
      previousAt: 1000,
    })
    expect(await track('two', 3000)).toMatchObject({
      changeStatus: 'changed',
      previousAt: 2000,
      difference: { text: expect.stringContaining('-one\n+two') },
    })
    expect(await track('one', 4000)).toMatchObject({ previousAt: 3000 })
  })

  it('compares values with those that were kept last, and keeps them through versions without', async () => {
    const of = async (price: unknown, fetchedAt: number) => {
      const fields = ['price', 'text']
      const values = JSON.stringify(price === undefined ? {} : { price, text: longText(1) })
      const written = await writeValues({ fields, values, added: {} })
      const tracked = history(fetchedAt)
      const found = await tracked.compare('one', { ...untagged, values: written })
      await tracked.commit()
      return found
    }
    expect(await of(10, 1000)).toEqual({ changeStatus: 'new', previousAt: undefined })
    expect(await of(10, 2000)).toMatchObject({ changeStatus: 'same', values: { changes: {} } })
    await removeUnused()
    expect(blobs.keys.size).toBe(1)
    await track('one', 3000)
    expect(await of(12, 4000)).toMatchObject({
      changeStatus: 'changed',
      previousAt: 3000,
      values: { previousAt: 2000, changes: { price: { previous: 10, current: 12 } } },
    })
    expect(await of(undefined, 5000)).toMatchObject({
      changeStatus: 'same',
      values: { lost: ['price', 'text'] },
    })
    await removeUnused()
    expect(blobs.keys.size).toBe(0)
    expect(await history(1).compare('one', { ...untagged, values: undefined })).toMatchObject({
      changeStatus: 'same',
    })
  })

  it('starts again from values whose blob is gone', async () => {
    const values = await writeValues({
      fields: ['text'],
      values: JSON.stringify({ text: longText(1) }),
      added: {},
    })
    const tracked = history(1000)
    await tracked.compare('one', { ...untagged, values })
    await tracked.commit()
    for (const key of blobs.keys) await blobs.delete(key)
    const found = await history(2000).compare('one', { ...untagged, values })
    expect(found).toEqual({ changeStatus: 'same', previousAt: 1000 })
  })

  it('finds a change again that was not reported', async () => {
    await track('one', 1000)
    await history(2000).compare('two', untagged)
    expect(await track('two', 3000)).toMatchObject({ changeStatus: 'changed', previousAt: 1000 })
  })

  it('keeps the last good version of a page that is gone, for its return', async () => {
    await track('one', 1000)
    for (const status of [404, 410]) {
      const gone = history(2000, { status })
      expect(await gone.compare('Not found', untagged)).toMatchObject({
        changeStatus: 'removed',
        previousAt: 1000,
      })
      await gone.commit()
    }
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same', previousAt: 1000 })
  })

  it('calls a page that was never there removed, and new when it comes', async () => {
    const gone = history(1000, { status: 404 })
    expect(await gone.compare('Not found', untagged)).toEqual({
      changeStatus: 'removed',
      previousAt: undefined,
    })
    await gone.commit()
    expect(await track('one', 2000)).toMatchObject({ changeStatus: 'new' })
  })

  it('takes the error page of a site for no version', async () => {
    await track('one', 1000)
    const broken = history(2000, { status: 503 })
    expect(await broken.compare('Try later', untagged)).toEqual({ reason: expect.stringContaining('503') })
    await broken.commit()
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same' })
  })

  it('keeps tags, addresses and teams apart', async () => {
    await track('one', 1000)
    expect(await track('one', 2000, 'daily')).toMatchObject({ changeStatus: 'new' })
    const other = history(2000, { address: `${url}?page=2` })
    expect(await other.compare('one', untagged)).toMatchObject({ changeStatus: 'new' })
    const team = (await createTeam(open().query, { name: `${Math.random()}`, balance: null, now: 0 })).id
    expect(await history(2000, { team }).compare('one', untagged)).toMatchObject({ changeStatus: 'new' })
  })

  it('takes addresses for one page that differ in a place on it', async () => {
    await track('one', 1000)
    const place = history(2000, { address: `${url}#place` })
    expect(await place.compare('one', untagged)).toMatchObject({ changeStatus: 'same' })
  })

  it('says that a copy is older than the last version instead of comparing backwards', async () => {
    await track('two', 2000)
    expect(await history(1000).compare('one', untagged)).toEqual({ reason: expect.stringContaining('older') })
  })

  /** The blobs that rows of the team name. */
  async function namedBlobs(): Promise<string[]> {
    const rows = [
      ...(await open().query.selectFrom('snapshots').select('blob').where('team_id', '=', teamId).execute()),
      ...(await open()
        .query.selectFrom('snapshot_versions')
        .select('blob')
        .where('team_id', '=', teamId)
        .execute()),
    ]
    return rows.flatMap(({ blob }) => blob ?? []).sort()
  }

  it('keeps long versions as blobs, and no more than the last ten', async () => {
    for (let turn = 1; turn <= 12; turn += 1) {
      await track(longText(turn), turn * 1000)
      await removeUnused()
      expect(blobs.keys.size).toBe(Math.min(turn, 10))
    }
    expect(await namedBlobs()).toEqual([...blobs.keys].sort())
    for (let turn = 13; turn <= 22; turn += 1) await track(`short ${turn}`, turn * 1000)
    await removeUnused()
    expect(blobs.keys.size).toBe(0)
  })

  it('keeps one version of a page that stays the same, with when it was first and last like this', async () => {
    await track(longText(1), 1000)
    await track(longText(1), 2000)
    await track(`${longText(1)}  `, 3000)
    await removeUnused()
    expect(blobs.keys.size).toBe(1)
    const row = await open()
      .query.selectFrom('snapshots')
      .selectAll()
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ first_seen: 1000, since: 1000, scraped_at: 3000, last_status: 'same' })
  })

  it('starts again from a version whose blob is gone, and says so', async () => {
    await track(longText(1), 1000)
    for (const key of blobs.keys) await blobs.delete(key)
    expect(await track('one', 2000)).toEqual({ reason: expect.stringContaining('tracking restarts') })
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same', previousAt: 2000 })
  })

  it('reads the newer version when the older one goes away between its two reads', async () => {
    await track(longText(1), 1000)
    let isAsked = false
    const late = createChangeHistory(
      {
        store: open(),
        reader,
        blobs: {
          ...blobs,
          async get(key) {
            // The same text takes the place of what was there.
            if (!isAsked) {
              isAsked = true
              await track(longText(1), 2000)
              await removeUnused()
            }
            return blobs.get(key)
          },
        },
      },
      { who: { team: teamId }, url: new URL(url), page: pageAt(3000) },
      { signal: alive },
    )
    expect(await late.compare(longText(1), untagged)).toMatchObject({
      changeStatus: 'same',
      previousAt: 2000,
    })
  })

  it.each([
    ['short', 'one', 'two'],
    ['long', longText(3), longText(4)],
  ])('lets the page that was fetched last stay when two scrapes race: %s', async (_, one, two) => {
    for (let round = 1; round <= 5; round += 1) {
      const [earlier, later] = [history(round * 1000), history(round * 1000 + 1)]
      await Promise.all([earlier.compare(one, untagged), later.compare(two, untagged)])
      await Promise.all(
        round % 2 === 0 ? [earlier.commit(), later.commit()] : [later.commit(), earlier.commit()],
      )
      const after = await history(round * 1000 + 2).compare('three', untagged)
      expect(after).toMatchObject({ previousAt: round * 1000 + 1 })
    }
    await removeUnused()
    expect(await namedBlobs()).toEqual([...blobs.keys].sort())
    expect(blobs.keys.size > 0).toBe(one !== 'one')
  })

  it('keeps one version when many scrapes of a new page end at once', async () => {
    const scrapes = Array.from({ length: 8 }, (_, index) => history(1000 + index))
    const found = await Promise.all(
      scrapes.map((scrape, index) => scrape.compare(longText(index + 5), untagged)),
    )
    expect(
      found.every((comparison) => 'changeStatus' in comparison && comparison.changeStatus === 'new'),
    ).toBe(true)
    await Promise.all(scrapes.map((scrape) => scrape.commit()))
    expect(await history(2000).compare('x', untagged)).toMatchObject({
      previousAt: 1007,
    })
    await removeUnused()
    expect(blobs.keys.size).toBe(1)
  })
}
