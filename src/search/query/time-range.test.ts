import { describe, expect, it } from 'vitest'
import { parseTimeRange } from './time-range.ts'

const now = Date.UTC(2026, 0, 31, 12)
const hourMs = 3_600_000

describe('parseTimeRange', () => {
  it.each<[string, object]>([
    ['', { isNewestFirst: false }],
    ['qdr:h', { from: now - hourMs, isNewestFirst: false }],
    ['qdr:d3', { from: now - 72 * hourMs, isNewestFirst: false }],
    ['qdr:w', { from: now - 7 * 24 * hourMs, isNewestFirst: false }],
    ['sbd:1,qdr:w', { from: now - 7 * 24 * hourMs, isNewestFirst: true }],
    ['qdr:m', { from: now - 31 * 24 * hourMs, isNewestFirst: false }],
    ['qdr:y', { from: now - 366 * 24 * hourMs, isNewestFirst: false }],
    [
      'cdr:1,cd_min:12/31/2024,cd_max:01/02/2025',
      { from: Date.UTC(2024, 11, 31), to: Date.UTC(2025, 0, 3) - 1, isNewestFirst: false },
    ],
    ['cdr:1,cd_min:1/2/2025', { from: Date.UTC(2025, 0, 2), isNewestFirst: false }],
    ['cdr:1, cd_max:1/2/2025, sbd:1', { to: Date.UTC(2025, 0, 3) - 1, isNewestFirst: true }],
    ['sbd:0', { isNewestFirst: false }],
  ])('parses %j', (tbs, range) => {
    expect(parseTimeRange(tbs, now)).toEqual(range)
  })

  it.each([
    ['qdr:x', 'qdr:x is not'],
    ['qdr:', 'qdr: is not'],
    ['qdr:d0', 'qdr:d0 is not'],
    ['cdr:1,cd_min:2024-01-01', 'MM/DD/YYYY'],
    ['cdr:1,cd_min:02/30/2024', 'MM/DD/YYYY'],
    ['cdr:1,cd_min:13/01/2024', 'MM/DD/YYYY'],
    ['cd_min:01/01/2024', 'need cdr:1'],
    ['cdr:1,cd_min:01/02/2024,cd_max:01/01/2024', 'later'],
    ['sbd:2', 'sbd:2 is neither'],
    ['week', 'week is not one of'],
  ])('rejects %j', (tbs, message) => {
    expect(() => parseTimeRange(tbs, now)).toThrow(message)
  })
})
