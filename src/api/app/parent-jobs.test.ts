import { describe, expect, it } from 'vitest'
import type { Team } from '../../accounts/team.ts'
import type { Bound } from './needs.ts'
import { parentUseCases } from './parent-jobs.ts'

// The rest of the team is not looked at.
const team = { id: 'team' } as Team

describe('crawls and batches', () => {
  it('are cancelled by the team they belong to, by id and kind', async () => {
    const asked: unknown[] = []
    const queue = {
      findOwn: async (_: Team, id: string, kind: string) => ({ id, kind }),
      cancel: async (row: unknown) => void asked.push(row),
    }
    // Nothing else is asked of what is bound.
    const bound = { queue, kinds: {} } as unknown as Bound
    await parentUseCases(bound).cancelParent(team, { id: 'one', kind: 'batch_scrape' })
    expect(asked).toEqual([{ id: 'one', kind: 'batch_scrape' }])
  })
})
