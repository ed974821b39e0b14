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
/**
 * Returns text too long for a row even when compressed. It has few lines, because comparing thousands of lines takes a
 * second.
 */
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

  it('reports a new page first, and compares with the last version from then on', async () => {
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

  it('compares values with the values stored last, and retains them through versions without values', async () => {
    const trackPrice = async (price: unknown, fetchedAt: number) => {
      const fields = ['price', 'text']
      const values = JSON.stringify(price === undefined ? {} : { price, text: longText(1) })
      const written = await writeValues({ fields, values, added: {} })
      const tracked = history(fetchedAt)
      const comparison = await tracked.compare('one', { ...untagged, values: written })
      await tracked.commit()
      return comparison
    }
    expect(await trackPrice(10, 1000)).toEqual({ changeStatus: 'new', previousAt: undefined })
    expect(await trackPrice(10, 2000)).toMatchObject({ changeStatus: 'same', values: { changes: {} } })
    await removeUnused()
    expect(blobs.keys.size).toBe(1)
    await track('one', 3000)
    expect(await trackPrice(12, 4000)).toMatchObject({
      changeStatus: 'changed',
      previousAt: 3000,
      values: { previousAt: 2000, changes: { price: { previous: 10, current: 12 } } },
    })
    expect(await trackPrice(undefined, 5000)).toMatchObject({
      changeStatus: 'same',
      values: { lost: ['price', 'text'] },
    })
    await removeUnused()
    expect(blobs.keys.size).toBe(0)
    expect(await history(1).compare('one', { ...untagged, values: undefined })).toMatchObject({
      changeStatus: 'same',
    })
  })

  it('treats values as new if their blob is missing', async () => {
    const values = await writeValues({
      fields: ['text'],
      values: JSON.stringify({ text: longText(1) }),
      added: {},
    })
    const tracked = history(1000)
    await tracked.compare('one', { ...untagged, values })
    await tracked.commit()
    for (const key of blobs.keys) await blobs.delete(key)
    const comparison = await history(2000).compare('one', { ...untagged, values })
    expect(comparison).toEqual({ changeStatus: 'same', previousAt: 1000 })
  })

  it('reports a change again if it was not committed', async () => {
    await track('one', 1000)
    await history(2000).compare('two', untagged)
    expect(await track('two', 3000)).toMatchObject({ changeStatus: 'changed', previousAt: 1000 })
  })

  it('retains the last good version of a page that returns 404 or 410', async () => {
    await track('one', 1000)
    for (const status of [404, 410]) {
      const goneHistory = history(2000, { status })
      expect(await goneHistory.compare('Not found', untagged)).toMatchObject({
        changeStatus: 'removed',
        previousAt: 1000,
      })
      await goneHistory.commit()
    }
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same', previousAt: 1000 })
  })

  it('reports removed for a page without versions, and new when it appears', async () => {
    const goneHistory = history(1000, { status: 404 })
    expect(await goneHistory.compare('Not found', untagged)).toEqual({
      changeStatus: 'removed',
      previousAt: undefined,
    })
    await goneHistory.commit()
    expect(await track('one', 2000)).toMatchObject({ changeStatus: 'new' })
  })

  it('does not store an error page (503) as a version', async () => {
    await track('one', 1000)
    const broken = history(2000, { status: 503 })
    expect(await broken.compare('Try later', untagged)).toEqual({ reason: expect.stringContaining('503') })
    await broken.commit()
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same' })
  })

  it('separates tags, URLs and teams', async () => {
    await track('one', 1000)
    expect(await track('one', 2000, 'daily')).toMatchObject({ changeStatus: 'new' })
    const other = history(2000, { address: `${url}?page=2` })
    expect(await other.compare('one', untagged)).toMatchObject({ changeStatus: 'new' })
    const team = (await createTeam(open().query, { name: `${Math.random()}`, balance: null, now: 0 })).id
    expect(await history(2000, { team }).compare('one', untagged)).toMatchObject({ changeStatus: 'new' })
  })

  it('ignores the fragment of a URL', async () => {
    await track('one', 1000)
    const withFragment = history(2000, { address: `${url}#place` })
    expect(await withFragment.compare('one', untagged)).toMatchObject({ changeStatus: 'same' })
  })

  it('returns a reason instead of comparing with an older copy', async () => {
    await track('two', 2000)
    expect(await history(1000).compare('one', untagged)).toEqual({ reason: expect.stringContaining('older') })
  })

  /** Returns the blobs that rows of the team refer to. */
  async function referencedBlobs(): Promise<string[]> {
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

  it('stores long versions as blobs, at most ten', async () => {
    for (let turn = 1; turn <= 12; turn += 1) {
      await track(longText(turn), turn * 1000)
      await removeUnused()
      expect(blobs.keys.size).toBe(Math.min(turn, 10))
    }
    expect(await referencedBlobs()).toEqual([...blobs.keys].sort())
    for (let turn = 13; turn <= 22; turn += 1) await track(`short ${turn}`, turn * 1000)
    await removeUnused()
    expect(blobs.keys.size).toBe(0)
  })

  it('stores one version of an unchanged page, with the times it was first and last seen', async () => {
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

  it('restarts with a reason if the blob of the version is missing', async () => {
    await track(longText(1), 1000)
    for (const key of blobs.keys) await blobs.delete(key)
    expect(await track('one', 2000)).toEqual({ reason: expect.stringContaining('tracking restarts') })
    expect(await track('one', 3000)).toMatchObject({ changeStatus: 'same', previousAt: 2000 })
  })

  it('reads the newer version if the older one is deleted between the two reads', async () => {
    await track(longText(1), 1000)
    let hasRead = false
    const late = createChangeHistory(
      {
        store: open(),
        reader,
        blobs: {
          ...blobs,
          async get(key) {
            // The same text is stored as a newer version.
            if (!hasRead) {
              hasRead = true
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
  ])('stores the page that was fetched last when two scrapes race: %s', async (_, first, second) => {
    for (let round = 1; round <= 5; round += 1) {
      const [earlier, later] = [history(round * 1000), history(round * 1000 + 1)]
      await Promise.all([earlier.compare(first, untagged), later.compare(second, untagged)])
      await Promise.all(
        round % 2 === 0 ? [earlier.commit(), later.commit()] : [later.commit(), earlier.commit()],
      )
      const comparison = await history(round * 1000 + 2).compare('three', untagged)
      expect(comparison).toMatchObject({ previousAt: round * 1000 + 1 })
    }
    await removeUnused()
    expect(await referencedBlobs()).toEqual([...blobs.keys].sort())
    expect(blobs.keys.size > 0).toBe(first !== 'one')
  })

  it('stores one version when several scrapes of a new page end concurrently', async () => {
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
