import { describe, expect, it } from 'vitest'
import { lazyModel } from './lazy-model.ts'
import type { SentenceModel } from './open-model.ts'
import { queryVectors } from './query-vectors.ts'

const model = (texts: string[] = []): SentenceModel => ({
  async embed(text) {
    texts.push(text)
    return Int8Array.of(texts.length)
  },
})

describe('a model', () => {
  it('is loaded once, when it is needed', async () => {
    let loads = 0
    const lazy = lazyModel('/folder', async () => {
      loads += 1
      return model()
    })
    expect(loads).toBe(0)
    await Promise.all([lazy.get(), lazy.get()])
    expect(loads).toBe(1)
    expect(lazy.obstacle()).toBeUndefined()
  })

  it('that cannot be loaded is none, and says why', async () => {
    const lazy = lazyModel('/nowhere')
    expect(await lazy.get()).toBeUndefined()
    expect(lazy.obstacle()).toContain('onnxruntime-node')
    expect(await queryVectors(lazy)('tide')).toBeUndefined()
  })
})

describe('the vector of a query', () => {
  it('is made once, while it is among those that were asked last', async () => {
    const texts: string[] = []
    const vector = queryVectors(lazyModel('/folder', async () => model(texts)))
    expect(await vector('tide')).toEqual(await vector('tide'))
    expect(texts).toEqual(['tide'])
    for (let other = 0; other < 500; other += 1) await vector(`other ${other}`)
    await vector('tide')
    expect(texts.filter((text) => text === 'tide')).toHaveLength(2)
  })

  it('is tried again after a failure', async () => {
    let calls = 0
    const failing: SentenceModel = {
      async embed() {
        calls += 1
        if (calls === 1) throw new Error('failed')
        return Int8Array.of(1)
      },
    }
    const vector = queryVectors(lazyModel('/folder', async () => failing))
    await expect(vector('tide')).rejects.toThrow('failed')
    expect(await vector('tide')).toEqual(Int8Array.of(1))
  })
})
