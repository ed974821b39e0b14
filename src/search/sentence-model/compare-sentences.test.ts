import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSentenceComparison } from './compare-sentences.ts'
import type { EmbedOutcome, ModelProcess } from './model-process.ts'
import { dimensions } from './open-model.ts'

const log = { warn: () => {} }
const { signal } = new AbortController()

/** A model that knows how long a text is, and nothing else. */
function lengthModel() {
  const calls: (readonly string[])[] = []
  const model: Pick<ModelProcess, 'embed'> = {
    async embed(texts) {
      calls.push(texts)
      return { vectors: texts.map(({ length }) => new Int8Array(dimensions).fill(1, 0, length)) }
    },
  }
  return { calls, compare: createSentenceComparison(model, log)({ team: 'a' }) }
}

/** A model that always has the same outcome. */
const modelWith = (outcome: EmbedOutcome) =>
  createSentenceComparison({ embed: async () => outcome }, log)({ team: 'a' })

describe('comparing sentences', () => {
  it('returns a similarity for each text, in their order', async () => {
    const found = await lengthModel().compare('tide', ['moon', 'a text of more letters'], signal)
    expect(found?.[0]).toBeCloseTo(1)
    expect(found?.[1]).toBeLessThan(0.5)
  })

  it('sends no more text than the model can read in time', async () => {
    const { calls, compare } = lengthModel()
    await compare('tide', Array(1000).fill('x'.repeat(100_000)), signal)
    expect(calls[0]).toHaveLength(65)
    expect(calls[0]?.every(({ length }) => length <= 2000)).toBe(true)
  })

  it('does not ask the model about a query that is not English', async () => {
    const { calls, compare } = lengthModel()
    expect(await compare('прилив', ['moon'], signal)).toBeUndefined()
    expect(calls).toEqual([])
  })

  it.each<[string, EmbedOutcome]>([
    ['does not run', { obstacle: 'no such file' }],
    ['has failed', { failure: 'killed' }],
  ])('resolves to undefined if the model %s', async (_, outcome) => {
    expect(await modelWith(outcome)('tide', ['moon'], signal)).toBeUndefined()
  })

  it('ends with its caller', async () => {
    const model: Pick<ModelProcess, 'embed'> = {
      embed: (_, { signal: given }) => sleep(60_000, { vectors: [] }, { signal: given }),
    }
    const compare = createSentenceComparison(model, log)({ team: 'a' })
    await expect(compare('tide', ['moon'], AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
    const leaving = new AbortController()
    const asked = compare('tide', ['moon'], leaving.signal)
    await sleep(5)
    leaving.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
  })
})
