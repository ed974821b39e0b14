import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { AppError } from '../base/errors.ts'
import { findJob } from '../store/jobs.ts'
import { giveUp, takeBack } from './give-up.ts'

afterEach(endJobScenes)

async function scene() {
  const { needs, store, holder, ...jobs } = await jobScene()
  const team = await jobs.team('team')
  const row = await jobs.insert(team, { foreground: 1, leased_by: holder.id, credits: 5 })
  return { needs, store, row, record: () => findJob(store.query, row.id) }
}

describe('a job that is given up', () => {
  it('has failed with its reason and costs nothing', async () => {
    const { needs, row, record } = await scene()
    await giveUp(needs, row, new AppError('CONCURRENCY_QUEUE_TIMEOUT'))
    const error = expect.stringContaining('CONCURRENCY_QUEUE_TIMEOUT')
    expect(await record()).toMatchObject({ state: 'failed', credits: 0, leased_by: null, error })
  })

  it('wakes those of other processes who stand behind it', async () => {
    const { needs, store, row } = await scene()
    const heard: string[] = []
    store.listen('slot', (teamId) => heard.push(teamId))
    await giveUp(needs, row, new AppError('SCRAPE_JOB_CANCELLED'))
    await expect.poll(() => heard).toEqual([row.team_id])
  })

  it('is left alone where another process has it', async () => {
    const { needs, row, record } = await scene()
    await giveUp({ ...needs, holder: { ...needs.holder, id: 'other' } }, row, new AppError('JOB_INTERRUPTED'))
    expect(await record()).toMatchObject({ state: 'queued', credits: 5 })
  })

  it('is taken back when the store is there again', async () => {
    const { needs, row, record } = await scene()
    let tries = 0
    const store = {
      ...needs.store,
      get query() {
        tries += 1
        if (tries < 3) throw new AppError('STORE_UNAVAILABLE')
        return needs.store.query
      },
    }
    takeBack({ ...needs, store }, row)
    await expect.poll(record, { timeout: 10_000 }).toMatchObject({ state: 'failed' })
    expect(tries).toBe(3)
  })
})
