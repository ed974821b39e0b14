import { describe, expect, it } from 'vitest'
import { daysSince, googleTbs, isoDay, recentSpan } from './calls.ts'

const now = Date.UTC(2025, 5, 15, 12)
const hour = 3_600_000
const since = (from: number) => ({ from, isNewestFirst: false })

describe('the span that covers a range', () => {
  it.each([
    [1, 'day'],
    [24, 'day'],
    [25, 'week'],
    [31 * 24, 'month'],
    [32 * 24, 'year'],
    [366 * 24, 'year'],
    [367 * 24, undefined],
  ])('of %d hours is %s', (hours, span) => {
    expect(recentSpan(since(now - hours * hour), now, ['year', 'day', 'week', 'month'])).toBe(span)
  })

  it('is none without a beginning', () => {
    expect(recentSpan({ to: now, isNewestFirst: true }, now, ['day'])).toBeUndefined()
  })
})

describe('a moment', () => {
  it('is written as a day', () => {
    expect(isoDay(now)).toBe('2025-06-15')
  })

  it.each([undefined, -1e14, 1e15, Number.POSITIVE_INFINITY])(
    'outside any calendar is left out: %j',
    (at) => {
      expect(isoDay(at)).toBeUndefined()
    },
  )

  it('is at least a day ago', () => {
    expect([daysSince(now, now), daysSince(now - 25 * hour, now)]).toEqual([1, 2])
  })
})

describe('tbs', () => {
  it.each([
    [{ isNewestFirst: false }, undefined],
    [{ isNewestFirst: true }, 'sbd:1'],
    [{ from: now - 90 * 60_000, isNewestFirst: false }, 'qdr:h2'],
    [{ from: now - 72 * hour, isNewestFirst: false }, 'cdr:1,cd_min:06/12/2025'],
    [{ to: now, isNewestFirst: true }, 'cdr:1,cd_max:06/15/2025,sbd:1'],
  ])('of %j is %s', (range, tbs) => {
    expect(googleTbs(range, now)).toBe(tbs)
  })
})
