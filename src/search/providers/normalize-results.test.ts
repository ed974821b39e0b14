import { describe, expect, it } from 'vitest'
import { readDate } from './normalize-results.ts'

const now = Date.UTC(2025, 5, 15, 12)

describe('readDate', () => {
  it.each([
    ['2025-06-14', Date.UTC(2025, 5, 14)],
    ['2025-06-14T08:00:00', Date.UTC(2025, 5, 14, 8)],
    ['2025-06-14 08:00:00', Date.UTC(2025, 5, 14, 8)],
    ['2025-06-14T10:00:00+02:00', Date.UTC(2025, 5, 14, 8)],
    ['2025-06-14T08:00:00.123456Z', Date.UTC(2025, 5, 14, 8, 0, 0, 123)],
    ['Jun 14, 2025', Date.UTC(2025, 5, 14)],
    ['June 14, 2025 08:00:00', Date.UTC(2025, 5, 14, 8)],
    ['14 Jun 2025', Date.UTC(2025, 5, 14)],
    ['Sat, 14 Jun 2025 08:00:00 GMT', Date.UTC(2025, 5, 14, 8)],
    ['Sat, 14 Jun 2025 10:00:00 +0200', Date.UTC(2025, 5, 14, 8)],
    ['28 hours ago', Date.UTC(2025, 5, 14, 8)],
    ['1 day ago', Date.UTC(2025, 5, 14, 12)],
    ['5 mins ago', now - 300_000],
  ])('parses %j', (text, time) => {
    expect(readDate(text, now)).toBe(time)
  })

  it.each([
    undefined,
    null,
    '',
    'vor 2 Stunden',
    'May 5',
    'chapter 7',
    '2025',
    '2025-13-40',
    '14 Foo 2025',
    'ago',
  ])('returns undefined for %j', (text) => {
    expect(readDate(text, now)).toBeUndefined()
  })
})
