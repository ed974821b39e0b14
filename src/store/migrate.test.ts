import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Migrator } from 'kysely/migration'
import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../platform/ids.ts'
import { sqliteDatabase } from './database/sqlite.ts'
import { claimForTeam } from './jobs/leases.ts'
import { countChildren } from './jobs/parents.ts'
import { migrate } from './migrate.ts'
import * as start from './migrations/0001-start.ts'
import * as files from './migrations/0002-files.ts'
import * as snapshots from './migrations/0003-snapshots.ts'
import type { Tables } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-migrate-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('migrate', () => {
  it('keeps the jobs of an older version, and queued ones can be claimed', async () => {
    const store = sqliteDatabase<Tables>(join(folder, 'old.sqlite'))
    const migrations = { '0001-start': start, '0002-files': files, '0003-snapshots': snapshots }
    const provider = { getMigrations: async () => migrations }
    await new Migrator({ db: store.query, provider }).migrateToLatest()
    const team = {
      id: newId(),
      name: 'old',
      balance: null,
      concurrency: null,
      zero_retention: 0,
      created_at: 0,
    }
    const job = {
      ...{
        id: newId(),
        team_id: team.id,
        key_id: null,
        parent_id: 'parent',
        kind: 'scrape',
        state: 'queued',
      },
      ...{ foreground: 0, takes_slot: 1, input: '{}', target: null, origin: null, retain: 1, attempts: 0 },
      ...{ leased_by: null, lease_until: null, deadline_at: 1e15, created_at: 0, started_at: null },
      ...{ finished_at: null, credits: 1, result: null, result_blob: null, error: null },
    }
    // The rows have an older schema, which the types no longer contain.
    await store.query
      .insertInto('teams')
      .values(team as never)
      .execute()
    await store.query
      .insertInto('jobs')
      .values(job as never)
      .execute()
    expect(await migrate(store)).toContain('0005-sites')
    expect(await countChildren(store.query, 'parent')).toMatchObject({ queued: 1 })
    const lease = { holder: 'me', until: 2000, now: 1000 }
    const claimed = await claimForTeam(store, { teamId: team.id, limit: 5, concurrency: 5, lease })
    expect(claimed.map((row) => row.id)).toEqual([job.id])
    await store.close()
  })
})
