import { describe, expect, it } from 'vitest'
import { isClean, sessionEndError } from './browser.ts'

describe('end of a session', () => {
  it.each(['ttl', 'activityTtl', 'deleted', 'closed by client', 'stopped'] as const)(
    'is clean after: %s',
    (cause) => {
      expect(isClean(cause)).toBe(true)
    },
  )

  it.each(['crashed', 'out of memory', 'flooded', 'failed', 'lost'] as const)(
    'is not clean after: %s',
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
  ] as const)('has an error code for: %s', (cause, code, words) => {
    const error = sessionEndError(cause)
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
  })
})
