import { describe, expect, it } from 'vitest'
import { checkMemory } from './memory.ts'

const bounds = { pageMegabytes: 1000, browserMegabytes: 3000 }

const seen = (pid: number, kind: 'page' | 'other', own: number, shared = 0) => ({
  ...{ pid, isOfPage: kind === 'page', ownMegabytes: own, sharedMegabytes: shared, processorTime: 0 },
})

describe('the memory of a browser', () => {
  it.each([
    ['nothing', [], undefined],
    ['an ordinary browser', [seen(1, 'other', 80), seen(2, 'page', 300)], undefined],
    ['a page at the bound', [seen(1, 'other', 80), seen(2, 'page', 1000)], undefined],
    ['what serves all pages', [seen(1, 'other', 1900), seen(2, 'page', 900)], undefined],
    ['shared memory, once', [1, 2, 3, 4].map((pid) => seen(pid, 'page', 300, 600)), undefined],
  ])('is left alone: %s', (_, processes, verdict) => {
    expect(checkMemory(processes, bounds)).toEqual(verdict)
  })

  it.each([
    ['a page', [seen(1, 'other', 80), seen(2, 'page', 999), seen(3, 'page', 1001)], { pid: 3 }],
    ['shared memory of a page', [seen(1, 'other', 80), seen(2, 'page', 500, 501)], { pid: 2 }],
    ['a page beside a larger process', [seen(1, 'other', 1900), seen(2, 'page', 1001)], { pid: 2 }],
  ])('is bounded for one page: %s', (_, processes, end) => {
    const excess = { bound: 'BROWSER_PAGE_MB', most: 1000 }
    expect(checkMemory(processes, bounds)).toEqual({ end, excess })
  })

  it('is bounded for what serves all pages, which ends with them', () => {
    const processes = [seen(1, 'other', 2200), seen(2, 'page', 900)]
    const excess = { bound: 'BROWSER_MB', most: 3000 }
    expect(checkMemory(processes, bounds)).toEqual({ end: 'browser', excess })
  })

  it('is bounded for all processes together, at the cost of the largest', () => {
    const pages = [seen(1, 'other', 80), seen(2, 'page', 800), seen(3, 'page', 990), seen(4, 'page', 900)]
    expect(checkMemory(pages, bounds)).toBeUndefined()
    expect(checkMemory([...pages, seen(5, 'page', 300)], bounds)).toEqual({
      end: { pid: 3 },
      excess: { bound: 'BROWSER_MB', most: 3000 },
    })
  })
})
