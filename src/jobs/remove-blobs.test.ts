import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { silentLog } from '../platform/log.ts'
import { blobColumns } from '../store/blob-names.ts'
import { insertFile } from '../store/files.ts'
import { takeFromWindow } from '../store/rates.ts'
import { storeSnapshots } from '../store/snapshots.ts'
import { removeUnusedBlobs } from './remove-blobs.ts'
import { sweep } from './sweeper.ts'

afterEach(endJobScenes)

async function scene() {
  const { deps, store, time, ...jobs } = await jobScene()
  const team = await jobs.team('team')
  const broken = new Set<string>()
  const blobs = {
    ...deps.blobs,
    async delete(name: string) {
      if (broken.has(name)) throw new Error('the bucket is away')
      await deps.blobs.delete(name)
    },
  }
  const put = (start: string) => deps.blobs.put(start, Buffer.from(start))
  const isThere = async (name: string) => (await deps.blobs.get(name)) !== undefined
  return {
    ...{ store, time, team, broken, put, isThere, insert: jobs.insert },
    deps: { ...deps, blobs },
    remove: () => removeUnusedBlobs({ ...deps, blobs }),
    noted: () => store.query.selectFrom('blob_deletions').selectAll().orderBy('name').execute(),
    async file(id: string) {
      const blob = await put(`files/${id}`)
      await insertFile(store.query, { ...{ id, team_id: team.id, media_type: 'x' }, blob, expires_at: 0 })
      return blob
    },
  }
}

describe('unused blob', () => {
  it('is recorded in the transaction that deletes its row, only if it commits', async () => {
    const { store, file, noted } = await scene()
    const blob = await file('a')
    const deletion = store.transaction(async (transaction) => {
      await transaction.deleteFrom('files').execute()
      throw new Error('rolled back')
    })
    await expect(deletion).rejects.toThrow('rolled back')
    expect(await noted()).toEqual([])
    await store.query.deleteFrom('files').execute()
    expect(await noted()).toEqual([{ name: blob, attempts: 0, next_at: 0 }])
  })

  it('is deleted even if another deletion fails, which is retried with increasing delays', async () => {
    const { store, time, broken, file, remove, noted, isThere } = await scene()
    const [failing, deletable] = [await file('a'), await file('b')]
    broken.add(failing)
    await store.query.deleteFrom('files').execute()
    await remove()
    expect([await isThere(failing), await isThere(deletable)]).toEqual([true, false])
    expect(await noted()).toEqual([{ name: failing, attempts: 1, next_at: time.now + 60_000 }])
    time.now += 60_000
    await remove()
    expect(await noted()).toEqual([{ name: failing, attempts: 2, next_at: time.now + 120_000 }])
    broken.clear()
    await remove()
    expect(await isThere(failing)).toBe(true)
    time.now += 120_000
    await remove()
    expect(await isThere(failing)).toBe(false)
    expect(await noted()).toEqual([])
  })

  it('is retained while a row of another table refers to it', async () => {
    const { store, team, put, remove, noted, isThere } = await scene()
    const row = {
      ...{ team_id: team.id, snapshot_key: 'key', url: 'u', tag: null, redacted: 0, part: 'text' as const },
      ...{ body: null, size: 1, first_seen: 1, last_status: 'new' as const },
    }
    const [first, second] = [await put('snapshots/a'), await put('snapshots/b')]
    for (const [at, blob] of [first, second].entries())
      await storeSnapshots(store, [{ row: { ...row, blob, since: at, scraped_at: at }, keepsOlder: true }])
    expect((await noted()).map(({ name }) => name)).toEqual([first])
    await remove()
    expect([await isThere(first), await isThere(second), await noted()]).toEqual([true, true, []])
    await store.query.deleteFrom('snapshot_versions').execute()
    await remove()
    expect([await isThere(first), await isThere(second)]).toEqual([false, true])
  })

  it('of a result does not stop a sweep if its deletion fails', async () => {
    const { deps, store, team, broken, put, insert, noted } = await scene()
    const blob = await put('results/a')
    broken.add(blob)
    await insert(team, { state: 'completed', finished_at: 0, result_blob: blob })
    const sweepDeps = { ...deps, log: silentLog, removeIndexedPages: async () => {} }
    await takeFromWindow(store.query, { teamId: team.id, lane: 'a', minute: 0 }, 1)
    await sweep({ ...sweepDeps, retentionHours: 1, cacheDays: 1 })
    expect(await noted()).toMatchObject([{ name: blob, attempts: 1 }])
    expect(await store.query.selectFrom('jobs').select('id').execute()).toEqual([])
    expect(await store.query.selectFrom('rates').select('lane').execute()).toEqual([])
  })
})

describe('blobColumns', () => {
  it('contains every blob column, each with an index and triggers', async () => {
    const { store } = await scene()
    const tables = await store.query.introspection.getTables()
    const found = tables.flatMap(({ name: table, columns }) =>
      columns.filter(({ name }) => /(?:^|_)blob$/.test(name)).map(({ name }) => `${table}_${name}`),
    )
    expect(found.sort()).toEqual(blobColumns.map(({ table, column }) => `${table}_${column}`).sort())
    const schemaObjects = await sql<{
      name: string
    }>`select name from sqlite_master where type in ('index', 'trigger')`
      .execute(store.query)
      .then(({ rows }) => rows.map(({ name }) => name))
    for (const column of found)
      expect(schemaObjects).toEqual(
        expect.arrayContaining([`${column}_name`, `${column}_deleted`, `${column}_replaced`]),
      )
  })
})
