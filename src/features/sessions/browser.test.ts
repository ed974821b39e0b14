import { describe, expect, it } from 'vitest'
import { isClean, sessionEndError } from './browser.ts'

describe('why a session ended', () => {
  it.each(['ttl', 'activityTtl', 'deleted', 'closed by client', 'stopped'] as const)(
    'leaves something to keep after: %s',
    (cause) => {
      expect(isClean(cause)).toBe(true)
    },
  )

  it.each(['crashed', 'out of memory', 'flooded', 'failed', 'lost'] as const)(
    'leaves nothing to keep after: %s',
    (cause) => {
      expect(isClean(cause)).toBe(false)
    },
  )

  it.each([
    ['crashed', 'SESSION_FAILED', 'session crashed'],
    ['out of memory', 'SESSION_FAILED', 'SESSION_MEMORY_MB'],
    ['flooded', 'SESSION_FAILED', 'DevTools messages'],
    ['stopped', 'STOPPING', ''],
    ['ttl', 'SESSION_DESTROYED', ''],
    ['lost', 'SESSION_DESTROYED', ''],
  ] as const)('is reported to a call that meets it: %s', (cause, code, words) => {
    const refusal = sessionEndError(cause)
    expect(refusal.code).toBe(code)
    expect(refusal.message).toContain(words)
  })
})
