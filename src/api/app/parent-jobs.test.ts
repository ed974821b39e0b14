import { describe, expect, it } from 'vitest'
import type { Team } from '../../accounts/team.ts'
import type { UseCaseDeps } from './needs.ts'
import { parentUseCases } from './parent-jobs.ts'

// The code under test only reads the id of the team.
const team = { id: 'team' } as Team

describe('crawls and batches', () => {
  it('cancels a job of the own team by id and kind', async () => {
    const cancelled: unknown[] = []
    const queue = {
      findOwn: async (_: Team, id: string, kind: string) => ({ id, kind }),
      cancel: async (row: unknown) => void cancelled.push(row),
    }
    // The code under test uses only these two dependencies.
    const bound = { queue, kinds: {} } as unknown as UseCaseDeps
    await parentUseCases(bound).cancelParent(team, { id: 'one', kind: 'batch_scrape' })
    expect(cancelled).toEqual([{ id: 'one', kind: 'batch_scrape' }])
  })
})
