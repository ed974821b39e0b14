import { describe, expect, it } from 'vitest'
import { trapOf } from './traps.ts'

const now = Date.UTC(2026, 5, 1)
const trap = (path: string) => trapOf(new URL(path, 'https://a.example/'), now)

describe('traps', () => {
  it.each([
    ['/blog/2024/05/12/a-day-at-the-sea'],
    ['/2024/05/'],
    ['/calendar/2027/01'],
    ['/events?date=2026-07-01'],
    ['/product/2031'],
    ['/a/b/c/a/b/c'],
    ['/list?page=3&sort=price&order=asc'],
    ['/year/1984'],
  ])('are not seen in %s', (path) => {
    expect(trap(path)).toBeUndefined()
  })

  it.each([
    ['/calendar/2099/01', 'calendar'],
    ['/calendar/2031-05-12', 'calendar'],
    ['/events?month=2040-01', 'calendar'],
    ['/events?date=19700101', 'calendar'],
    ['/a/b/a/b/a/b/a/b', 'repeats itself'],
    [`/${'x/'.repeat(4)}`, 'repeats itself'],
    [`/${Array.from({ length: 30 }, (_, index) => `s${index}`).join('/')}`, 'too deep'],
    [`/${'x'.repeat(2100)}`, 'too long'],
    [`/list?${Array.from({ length: 11 }, (_, index) => `f${index}=1`).join('&')}`, 'too many parameters'],
  ])('are seen in %s', (path, reason) => {
    expect(trap(path)).toBe(reason)
  })
})
