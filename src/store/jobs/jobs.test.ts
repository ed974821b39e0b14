import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { sqliteDatabase } from '../database/sqlite.ts'
import { migrate } from '../migrate.ts'
import type { Store, Tables } from '../schema.ts'
import { createTeam } from '../teams.ts'
import { endJob, findJob, insertJobs, type JobRow, removeEndedBefore } from './jobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-jobs-'))
afterAll(() => rmSync(folder, { recursive: true }))

let store: Store
let teamId: string
beforeEach(async () => {
  store = sqliteDatabase<Tables>(join(folder, `${Math.random()}.sqlite`))
  await migrate(store)
  teamId = (await createTeam(store.query, { name: 'team', balance: null, now: 0 })).id
})

async function insert(changes: Partial<JobRow>): Promise<JobRow> {
  const row: JobRow = {
    ...{ id: newId(), team_id: teamId, key_id: null, parent_id: null, kind: 'scrape', state: 'running' },
    ...{
      foreground: 0,
      takes_slot: 1,
      input: '{"url":"https://secret.example"}',
      target: 'https://secret.example',
    },
    ...{ origin: null, retain: 1, attempts: 1, leased_by: 'me', lease_until: 1000, deadline_at: 1e15 },
    ...{
      created_at: 0,
      queued_at: 0,
      started_at: 0,
      finished_at: null,
      ended_number: null,
      children_ended: 0,
      credits: 1,
      trace: null,
      result: null,
      result_blob: null,
      error: null,
    },
    ...changes,
  }
  await insertJobs(store.query, [row])
  return row
}

const ending = (id: string) => ({
  ...{
    id,
    holder: 'me',
    state: 'failed' as const,
    credits: 0,
    result: null,
    resultBlob: null,
    input: '{}',
    now: 500,
  },
  ...{
    error: {
      code: 'TARGET_FORBIDDEN' as const,
      error: 'about secret.example',
      detail: { host: 'secret.example' },
    },
  },
  erase: false,
})

describe('endJob', () => {
  it('ends a job only for the holder of its lease', async () => {
    const { id } = await insert({})
    expect(await endJob(store.query, { ...ending(id), holder: 'another' })).toBe(false)
    expect(await endJob(store.query, ending(id))).toBe(true)
    expect(await endJob(store.query, ending(id))).toBe(false)
  })

  it('does not end a job whose lease was renewed after it expired', async () => {
    const { id } = await insert({ lease_until: 2000 })
    expect(await endJob(store.query, { ...ending(id), leaseBefore: 1500 })).toBe(false)
    expect(await endJob(store.query, { ...ending(id), leaseBefore: 2500 })).toBe(true)
  })

  it('erases the target with zero retention', async () => {
    const { id } = await insert({ retain: 0 })
    await endJob(store.query, { ...ending(id), erase: true })
    expect(JSON.stringify(await findJob(store.query, id))).not.toContain('secret.example')
  })
})

describe('removeEndedBefore', () => {
  it('keeps the children of a running parent', async () => {
    const parent = await insert({ takes_slot: 0, leased_by: null, lease_until: null })
    const child = await insert({ parent_id: parent.id, state: 'completed', finished_at: 10 })
    expect(await removeEndedBefore(store.query, 1000)).toEqual([])
    await endJob(store.query, { ...ending(parent.id), holder: undefined, state: 'completed', now: 20 })
    const removed = await removeEndedBefore(store.query, 1000)
    expect(removed.map((job) => job.id).sort()).toEqual([parent.id, child.id].sort())
  })
})
