import { describe, expect, it } from 'vitest'
import { maxSettleMs, requiredStillMs } from './settle.ts'
import type { ContentFacts } from './watch-content.ts'

const finishedFacts: ContentFacts = {
  ...{ stillMs: 0, canChange: true, isLoaded: true, hasTimers: false },
  ...{ text: 400, controls: 0, hasSkeletons: false, isLoading: false },
}

function getRequiredStillMs(
  facts: Partial<ContentFacts>,
  network: { isLoading?: boolean; isListening?: boolean } = {},
) {
  const { isLoading = false, isListening = false } = network
  const watch = { isLoading: () => isLoading, isListening: () => isListening }
  return requiredStillMs({ ...finishedFacts, ...facts }, watch, false)
}

describe('requiredStillMs', () => {
  it.each<[string, number]>([
    ['empty and asking', getRequiredStillMs({ text: 0 }, { isLoading: true })],
    ['empty and listening', getRequiredStillMs({ text: 0 }, { isListening: true })],
    ['empty, with timers', getRequiredStillMs({ text: 0, hasTimers: true })],
    [
      'empty, with parts that are not there yet',
      getRequiredStillMs({ text: 0, isLoading: false, isLoaded: false }),
    ],
    ['only saying that it is loading', getRequiredStillMs({ text: 60, isLoading: true, hasTimers: true })],
    ['full of skeletons', getRequiredStillMs({ hasSkeletons: true, hasTimers: true })],
    ['loading a part of itself', getRequiredStillMs({ isLoading: true }, { isLoading: true })],
  ])('is the maximum for a page that is %s', (_, ms) => {
    expect(ms).toBe(maxSettleMs)
  })

  it('is shorter the less content may still arrive', () => {
    const steps = [
      getRequiredStillMs({}),
      getRequiredStillMs({ hasTimers: true }),
      getRequiredStillMs({ text: 100, hasTimers: true }),
      getRequiredStillMs({}, { isLoading: true }),
      getRequiredStillMs({ isLoading: true, hasTimers: true }),
      maxSettleMs,
    ]
    expect(steps).toEqual(steps.toSorted((left, right) => left - right))
    expect(new Set(steps).size).toBe(steps.length)
  })

  it('is below the maximum for a form with little text', () => {
    expect(getRequiredStillMs({ text: 20, controls: 3, hasTimers: true })).toBeLessThan(maxSettleMs)
  })
})
