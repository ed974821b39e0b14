import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSentenceComparison } from './compare-sentences.ts'
import type { EmbedOutcome, ModelProcess } from './model-process.ts'
import { dimensions } from './open-model.ts'

const log = { warn: () => {} }
const { signal } = new AbortController()

/** Creates a stub model whose vectors depend only on the length of a text. */
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

/** Creates a stub model that always has the same outcome. */
const modelWith = (outcome: EmbedOutcome) =>
  createSentenceComparison({ embed: async () => outcome }, log)({ team: 'a' })

describe('createSentenceComparison', () => {
  it('returns a similarity for each text, in their order', async () => {
    const similarities = await lengthModel().compare('tide', ['moon', 'a text of more letters'], signal)
    expect(similarities?.[0]).toBeCloseTo(1)
    expect(similarities?.[1]).toBeLessThan(0.5)
  })

  it('sends at most 64 texts of at most 2000 characters', async () => {
    const { calls, compare } = lengthModel()
    await compare('tide', Array(1000).fill('x'.repeat(100_000)), signal)
    expect(calls[0]).toHaveLength(65)
    expect(calls[0]?.every(({ length }) => length <= 2000)).toBe(true)
  })

  it('does not send a query that is not English to the model', async () => {
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

  it('rejects when its caller aborts', async () => {
    const model: Pick<ModelProcess, 'embed'> = {
      embed: (_, { signal: callSignal }) => sleep(60_000, { vectors: [] }, { signal: callSignal }),
    }
    const compare = createSentenceComparison(model, log)({ team: 'a' })
    await expect(compare('tide', ['moon'], AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
    const controller = new AbortController()
    const comparison = compare('tide', ['moon'], controller.signal)
    await sleep(5)
    controller.abort(new Error('left'))
    await expect(comparison).rejects.toThrow('left')
  })
})
