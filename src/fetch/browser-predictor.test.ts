import { describe, expect, it } from 'vitest'
import { createBrowserPredictor } from './browser-predictor.ts'

const teamId = 'team'
const app = (number: number) => ({ teamId, url: new URL(`https://a.example/app/${number}`) })
const text = { teamId, url: new URL('https://a.example/text/1') }

/** How many pages in a row are opened in a browser at once before HTTP is tried again. */
function leftOut(memory: ReturnType<typeof createBrowserPredictor>): number {
  let count = 0
  while (memory.leavesOutHttp(app(count))) count += 1
  return count
}

describe('the memory of engines', () => {
  it('leaves HTTP out from the second failure on, for pages alike, and for longer each time', () => {
    const memory = createBrowserPredictor(() => 0)
    const counts = Array.from({ length: 8 }, () => {
      memory.httpFailed(app(1))
      return leftOut(memory)
    })
    expect(counts).toEqual([0, 2, 4, 8, 16, 32, 32, 32])
    expect(memory.leavesOutHttp(text)).toBe(false)
  })

  it('does not use for one team what another team has learned', () => {
    const memory = createBrowserPredictor(() => 0)
    for (let round = 0; round < 3; round += 1) memory.httpFailed({ ...app(round), teamId: 'other' })
    expect(leftOut(memory)).toBe(0)
  })

  it('tries again after a while, however few pages came', () => {
    let now = 0
    const memory = createBrowserPredictor(() => now)
    memory.httpFailed(app(1))
    memory.httpFailed(app(2))
    now = 29_999
    expect(memory.leavesOutHttp(app(3))).toBe(true)
    now = 30_000
    expect(memory.leavesOutHttp(app(4))).toBe(false)
  })

  it('takes pages that were fetched side by side for one failure', () => {
    const memory = createBrowserPredictor(() => 0)
    for (let number = 0; number < 9; number += 1) memory.httpFailed(app(number))
    expect(leftOut(memory)).toBe(2)
  })

  it('forgets what has worked', () => {
    const memory = createBrowserPredictor(() => 0)
    for (let round = 0; round < 3; round += 1) memory.httpFailed(app(round))
    memory.httpWorked(app(9))
    expect(leftOut(memory)).toBe(0)
    memory.httpFailed(app(1))
    expect(leftOut(memory)).toBe(0)
  })

  it('does not grow without end', () => {
    const memory = createBrowserPredictor(() => 0)
    const of = (host: number) => ({ teamId, url: new URL(`https://h${host}.example/app/1`) })
    for (let host = 0; host < 10_001; host += 1) for (const _ of [1, 2]) memory.httpFailed(of(host))
    expect([memory.leavesOutHttp(of(0)), memory.leavesOutHttp(of(10_000))]).toEqual([false, true])
  })
})
