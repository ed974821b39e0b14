import { describe, expect, it } from 'vitest'
import { AppError } from '../../base/errors.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { SessionEnded } from './living.ts'
import { sessionEnding } from './session-ending.ts'

const hour = 3_600_000
// The rest of the row is not looked at.
const job = { id: 'one', created_at: 1000, input: '{}' } as JobRow

function endingOf(changes: Partial<SessionEnded>, usedPrompt = false) {
  const ended: SessionEnded = {
    ...{ cause: 'deleted', at: 1000 + hour, lastActivity: 2000, error: undefined },
    ...changes,
  }
  return sessionEnding(job, ended, { holder: 'me', usedPrompt })
}

describe('the end of a session', () => {
  it('is a completed job that costs its time', () => {
    expect(endingOf({})).toMatchObject({
      ...{ id: 'one', holder: 'me', state: 'completed', now: 1000 + hour, error: undefined },
      session: { status: 'destroyed', reason: 'deleted', lastActivity: 2000, givesScrapeFree: false },
    })
  })

  it('costs more where a prompt was run', () => {
    expect(endingOf({}, true).credits).toBeGreaterThan(endingOf({}).credits)
  })

  it('is a failed job that costs its time when the browser broke down', () => {
    const ending = endingOf({ cause: 'crashed' })
    expect(ending).toMatchObject({
      ...{
        state: 'failed',
        error: { code: 'SESSION_FAILED', detail: { phase: 'running', cause: 'crashed' } },
      },
      session: { status: 'error', reason: 'crashed', givesScrapeFree: false },
    })
    expect(ending.credits).toBe(endingOf({}).credits)
  })

  it('costs nothing when nobody could use it, and its scrape may have another session', () => {
    const error = new AppError('REPLAY_UNAVAILABLE')
    expect(endingOf({ cause: 'failed', error })).toMatchObject({
      ...{ state: 'failed', credits: 0, error: { code: 'REPLAY_UNAVAILABLE' } },
      session: { status: 'error', reason: error.message, givesScrapeFree: true },
    })
  })
})
