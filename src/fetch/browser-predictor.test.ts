import { describe, expect, it } from 'vitest'
import { createBrowserPredictor } from './browser-predictor.ts'

const teamId = 'team'
const app = (number: number) => ({ teamId, url: new URL(`https://a.example/app/${number}`) })
const text = { teamId, url: new URL('https://a.example/text/1') }

/** Returns the number of consecutive pages that go straight to a browser before HTTP is tried again. */
function countSkippedHttp(predictor: ReturnType<typeof createBrowserPredictor>): number {
  let count = 0
  while (predictor.shouldSkipHttp(app(count))) count += 1
  return count
}

describe('createBrowserPredictor', () => {
  it('skips HTTP for pages of the same template from the second failure on, and longer after each failure', () => {
    const predictor = createBrowserPredictor(() => 0)
    const counts = Array.from({ length: 8 }, () => {
      predictor.recordHttpFailure(app(1))
      return countSkippedHttp(predictor)
    })
    expect(counts).toEqual([0, 2, 4, 8, 16, 32, 32, 32])
    expect(predictor.shouldSkipHttp(text)).toBe(false)
  })

  it('does not apply failures of one team to another team', () => {
    const predictor = createBrowserPredictor(() => 0)
    for (let round = 0; round < 3; round += 1) predictor.recordHttpFailure({ ...app(round), teamId: 'other' })
    expect(countSkippedHttp(predictor)).toBe(0)
  })

  it('tries HTTP again after 30 seconds, however few pages were fetched', () => {
    let now = 0
    const predictor = createBrowserPredictor(() => now)
    predictor.recordHttpFailure(app(1))
    predictor.recordHttpFailure(app(2))
    now = 29_999
    expect(predictor.shouldSkipHttp(app(3))).toBe(true)
    now = 30_000
    expect(predictor.shouldSkipHttp(app(4))).toBe(false)
  })

  it('counts failures of concurrent pages as one', () => {
    const predictor = createBrowserPredictor(() => 0)
    for (let number = 0; number < 9; number += 1) predictor.recordHttpFailure(app(number))
    expect(countSkippedHttp(predictor)).toBe(2)
  })

  it('deletes the failures of a template when HTTP works again', () => {
    const predictor = createBrowserPredictor(() => 0)
    for (let round = 0; round < 3; round += 1) predictor.recordHttpFailure(app(round))
    predictor.recordHttpSuccess(app(9))
    expect(countSkippedHttp(predictor)).toBe(0)
    predictor.recordHttpFailure(app(1))
    expect(countSkippedHttp(predictor)).toBe(0)
  })

  it('keeps at most 10,000 templates and evicts the oldest', () => {
    const predictor = createBrowserPredictor(() => 0)
    const pageOfHost = (host: number) => ({ teamId, url: new URL(`https://h${host}.example/app/1`) })
    for (let host = 0; host < 10_001; host += 1)
      for (const _ of [1, 2]) predictor.recordHttpFailure(pageOfHost(host))
    expect([predictor.shouldSkipHttp(pageOfHost(0)), predictor.shouldSkipHttp(pageOfHost(10_000))]).toEqual([
      false,
      true,
    ])
  })
})
