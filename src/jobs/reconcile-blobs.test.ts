import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { silentLog } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { insertFile } from '../store/files.ts'
import { reconcileBlobs } from './reconcile-blobs.ts'

afterEach(endJobScenes)

const day = 24 * 3600_000

/** Creates a scene two days after all data and the installation marker were written. */
async function scene() {
  const { deps, store, time, ...jobs } = await jobScene()
  time.now = Date.now()
  await reconcileBlobs({ ...deps, log: silentLog })
  time.now += 2 * day
  const team = await jobs.team('team')
  const lists: string[] = []
  const blobs = {
    ...deps.blobs,
    list: (folder: string, page: { after: string; limit: number }) => {
      lists.push(folder)
      return deps.blobs.list(folder, page)
    },
  }
  return {
    ...{ store, blobs, time, lists },
    reconcile: (blobsToUse: Blobs = blobs) => reconcileBlobs({ ...deps, blobs: blobsToUse, log: silentLog }),
    noted: async () => {
      const rows = await store.query.selectFrom('blob_deletions').select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
    async file(id: string) {
      const blob = await blobs.put(`files/${id}`, Buffer.from(id))
      await insertFile(store.query, { ...{ id, team_id: team.id, media_type: 'x' }, blob, expires_at: 0 })
      return blob
    },
  }
}

describe('reconcileBlobs', () => {
  it('compares once a day in one of several processes', async () => {
    const { reconcile, lists, time } = await scene()
    await Promise.all([reconcile(), reconcile(), reconcile()])
    const folders = lists.filter((folder) => folder !== 'installation')
    expect(folders.sort()).toEqual([
      'files',
      'health',
      'pages',
      'profiles',
      'results',
      'site-files',
      'snapshots',
    ])
    time.now += day - 1
    await reconcile()
    expect(lists.filter((folder) => folder === 'files')).toHaveLength(1)
    time.now += 1
    await reconcile()
    expect(lists.filter((folder) => folder === 'files')).toHaveLength(2)
  })

  it('records orphans, at most 5000 per run, and no blob with a row', async () => {
    const { reconcile, noted, file, blobs } = await scene()
    const named = await file('19000')
    const orphans = Array.from({ length: 5200 }, (_, index) => `files/${index + 15_000}`)
    const allNames = [...orphans, named].sort()
    // Fakes a bucket with thousands of blobs, which would take long to write.
    const list: typeof blobs.list = async (folder, { after, limit }) =>
      folder === 'files'
        ? allNames
            .filter((name) => name > after)
            .slice(0, limit)
            .map((name) => ({ name, size: 5, modifiedAt: 0 }))
        : folder === 'installation'
          ? blobs.list(folder, { after, limit })
          : []
    await reconcile({ ...blobs, list })
    const recorded = await noted()
    expect(recorded).toEqual(allNames.slice(0, 5000).filter((name) => name !== named))
    await reconcile({ ...blobs, list })
    expect(await noted()).toEqual(orphans.sort())
  })

  it('ignores orphans while another installation shares the storage', async () => {
    const { reconcile, noted, blobs, time } = await scene()
    const other = await blobs.put('installation/other', Buffer.from('x'))
    const orphan = await blobs.put('files/orphan', Buffer.from('x'))
    await reconcile()
    expect(await noted()).toEqual([])
    await blobs.delete(other)
    time.now += day
    await reconcile()
    expect(await noted()).toEqual([orphan])
  })
})
