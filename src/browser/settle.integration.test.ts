import { describe, expect, it } from 'vitest'
import { longestWait, requiredStillMs } from './settle.ts'
import type { ContentFacts } from './watch-content.ts'

const finished: ContentFacts = {
  ...{ stillMs: 0, canChange: true, isLoaded: true, hasTimers: false },
  ...{ text: 400, things: 0, hasSkeletons: false, isLoading: false },
}

function needed(facts: Partial<ContentFacts>, network: { isLoading?: boolean; isListening?: boolean } = {}) {
  const { isLoading = false, isListening = false } = network
  const watch = { isLoading: () => isLoading, isListening: () => isListening }
  return requiredStillMs({ ...finished, ...facts }, watch, false)
}

describe('the smart wait', () => {
  it.each<[string, number]>([
    ['empty and asking', needed({ text: 0 }, { isLoading: true })],
    ['empty and listening', needed({ text: 0 }, { isListening: true })],
    ['empty, with timers', needed({ text: 0, hasTimers: true })],
    ['empty, with parts that are not there yet', needed({ text: 0, isLoading: false, isLoaded: false })],
    ['only saying that it is loading', needed({ text: 60, isLoading: true, hasTimers: true })],
    ['full of skeletons', needed({ hasSkeletons: true, hasTimers: true })],
    ['loading a part of itself', needed({ isLoading: true }, { isLoading: true })],
  ])('lasts to its end for a page that is %s', (_, ms) => {
    expect(ms).toBe(longestWait)
  })

  it('is the shorter the less may come', () => {
    const steps = [
      needed({}),
      needed({ hasTimers: true }),
      needed({ text: 100, hasTimers: true }),
      needed({}, { isLoading: true }),
      needed({ isLoading: true, hasTimers: true }),
      longestWait,
    ]
    expect(steps).toEqual(steps.toSorted((one, other) => one - other))
    expect(new Set(steps).size).toBe(steps.length)
  })

  it('takes a form for a page', () => {
    expect(needed({ text: 20, things: 3, hasTimers: true })).toBeLessThan(longestWait)
  })
})
