import { describe, expect, it } from 'vitest'
import { checkMemory } from './memory.ts'

const limits = { pageMegabytes: 1000, browserMegabytes: 3000 }

const createProcess = (pid: number, kind: 'page' | 'other', own: number, shared = 0) => ({
  ...{ pid, isOfPage: kind === 'page', ownMegabytes: own, sharedMegabytes: shared, processorTime: 0 },
})

describe('checkMemory', () => {
  it.each([
    ['nothing', [], undefined],
    ['an ordinary browser', [createProcess(1, 'other', 80), createProcess(2, 'page', 300)], undefined],
    ['a page at the bound', [createProcess(1, 'other', 80), createProcess(2, 'page', 1000)], undefined],
    ['what serves all pages', [createProcess(1, 'other', 1900), createProcess(2, 'page', 900)], undefined],
    ['shared memory, once', [1, 2, 3, 4].map((pid) => createProcess(pid, 'page', 300, 600)), undefined],
  ])('returns undefined for %s', (_, processes, verdict) => {
    expect(checkMemory(processes, limits)).toEqual(verdict)
  })

  it.each([
    [
      'a page',
      [createProcess(1, 'other', 80), createProcess(2, 'page', 999), createProcess(3, 'page', 1001)],
      { pid: 3 },
    ],
    [
      'shared memory of a page',
      [createProcess(1, 'other', 80), createProcess(2, 'page', 500, 501)],
      { pid: 2 },
    ],
    [
      'a page beside a larger process',
      [createProcess(1, 'other', 1900), createProcess(2, 'page', 1001)],
      { pid: 2 },
    ],
  ])('ends one page: %s', (_, processes, end) => {
    const excess = { bound: 'BROWSER_PAGE_MB', max: 1000 }
    expect(checkMemory(processes, limits)).toEqual({ end, excess })
  })

  it('ends the browser if a process that serves all pages is the largest', () => {
    const processes = [createProcess(1, 'other', 2200), createProcess(2, 'page', 900)]
    const excess = { bound: 'BROWSER_MB', max: 3000 }
    expect(checkMemory(processes, limits)).toEqual({ end: 'browser', excess })
  })

  it('ends the largest page if all processes together exceed the limit', () => {
    const pages = [
      createProcess(1, 'other', 80),
      createProcess(2, 'page', 800),
      createProcess(3, 'page', 990),
      createProcess(4, 'page', 900),
    ]
    expect(checkMemory(pages, limits)).toBeUndefined()
    expect(checkMemory([...pages, createProcess(5, 'page', 300)], limits)).toEqual({
      end: { pid: 3 },
      excess: { bound: 'BROWSER_MB', max: 3000 },
    })
  })
})
