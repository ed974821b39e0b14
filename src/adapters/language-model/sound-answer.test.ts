import { describe, expect, it } from 'vitest'
import { soundAnswer } from './sound-answer.ts'

const estimated = { inputTokens: 7, outputTokens: 3 }
const answer = (changes: object) =>
  soundAnswer(
    { text: '', calls: [], isCut: false, refusal: undefined, usage: undefined, ...changes },
    () => estimated,
  )

describe('soundAnswer', () => {
  it.each([
    [-1, 5],
    [5, -1],
    [Number.NaN, 5],
    [5, Number.POSITIVE_INFINITY],
    [1e300, 5],
  ])('estimates the tokens if the server counts %s and %s', (inputTokens, outputTokens) => {
    expect(answer({ usage: { inputTokens, outputTokens } }).usage).toEqual(estimated)
  })

  it('keeps counts of a server, as whole numbers', () => {
    expect(answer({ usage: { inputTokens: 0.5, outputTokens: 0 } }).usage).toEqual({
      inputTokens: 1,
      outputTokens: 0,
    })
  })

  it('gives each call its own id, and drops calls beyond 64', () => {
    const call = { id: 'a', name: 'look', arguments: {} }
    const { calls } = answer({ calls: Array.from({ length: 1000 }, () => call) })
    expect(calls).toHaveLength(64)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(64)
  })

  it('replaces arguments that are nested too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const { calls } = answer({ calls: [{ id: 'a', name: 'look', arguments: deep }] })
    expect(calls[0]?.arguments).toBe('arguments that are nested too deeply')
  })
})
