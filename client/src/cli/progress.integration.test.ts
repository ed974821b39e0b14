import { describe, expect, it } from 'vitest'
import { createRate, duration, progressLine } from './progress.ts'

describe('progress', () => {
  it('computes pages per second over the last 20 seconds', () => {
    let now = 0
    const rate = createRate(() => now)
    rate.add(0)
    expect(rate.perSecond()).toBeUndefined()
    for (const [time, completed] of [
      [10_000, 10],
      [20_000, 110],
      [40_000, 310],
    ] as const) {
      now = time
      rate.add(completed)
    }
    expect(rate.perSecond()).toBe(10)
  })

  it('shows the count, rate, remaining time and errors', () => {
    const counts = { status: 'scraping', completed: 150, total: 300, failed: 1 }
    expect(progressLine(counts, 2.5)).toBe(
      '██████████░░░░░░░░░░ 150/300 pages · 2.5 pages/s · 1 min 0 s left · 1 error',
    )
    expect(progressLine({ ...counts, completed: 0, total: 0 }, undefined)).toContain('0/0 pages · 1 error')
  })

  it('formats durations in hours, minutes and seconds', () => {
    expect([0.4, 59, 61, 3661].map(duration)).toEqual(['1 s', '59 s', '1 min 1 s', '1 h 1 min'])
  })
})
