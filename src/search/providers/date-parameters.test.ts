import { describe, expect, it } from 'vitest'
import { daysSince, findRecentSpan, googleTbs, isoDay } from './calls.ts'

const now = Date.UTC(2025, 5, 15, 12)
const hourMs = 3_600_000
const since = (from: number) => ({ from, isNewestFirst: false })

describe('recentSpan', () => {
  it.each([
    [1, 'day'],
    [24, 'day'],
    [25, 'week'],
    [31 * 24, 'month'],
    [32 * 24, 'year'],
    [366 * 24, 'year'],
    [367 * 24, undefined],
  ])('of %d hours is %s', (hours, span) => {
    expect(findRecentSpan(since(now - hours * hourMs), now)).toBe(span)
  })

  it('returns undefined for a range without a start', () => {
    expect(findRecentSpan({ to: now, isNewestFirst: true }, now)).toBeUndefined()
  })
})

describe('isoDay and daysSince', () => {
  it('format a time as a day', () => {
    expect(isoDay(now)).toBe('2025-06-15')
  })

  it.each([undefined, -1e14, 1e15, Number.POSITIVE_INFINITY])(
    'return undefined for a time outside the calendar: %j',
    (time) => {
      expect(isoDay(time)).toBeUndefined()
    },
  )

  it('return at least one day', () => {
    expect([daysSince(now, now), daysSince(now - 25 * hourMs, now)]).toEqual([1, 2])
  })
})

describe('googleTbs', () => {
  it.each([
    [{ isNewestFirst: false }, undefined],
    [{ isNewestFirst: true }, 'sbd:1'],
    [{ from: now - 90 * 60_000, isNewestFirst: false }, 'qdr:h2'],
    [{ from: now - 72 * hourMs, isNewestFirst: false }, 'cdr:1,cd_min:06/12/2025'],
    [{ to: now, isNewestFirst: true }, 'cdr:1,cd_max:06/15/2025,sbd:1'],
  ])('formats %j as %s', (range, tbs) => {
    expect(googleTbs(range, now)).toBe(tbs)
  })
})
