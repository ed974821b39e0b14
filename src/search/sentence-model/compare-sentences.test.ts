import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ComparedTexts, SearchOrder } from '../thread/messages.ts'
import type { SearchThread } from '../thread/search-thread.ts'
import { sentenceComparison } from './compare-sentences.ts'
import { textComparison } from './compare-texts.ts'
import { lazyModel } from './lazy-model.ts'
import { queryVectors } from './query-vectors.ts'
import { dimensions } from './vector.ts'

/** A model that knows how long a text is, and nothing else. */
const embed = async (text: string) =>
  new Int8Array(dimensions).fill(0).fill(1, 0, Math.min(text.length, dimensions))
const model = lazyModel('', async () => ({ embed }))
const compare = textComparison(model, queryVectors(model))

describe('texts compared by meaning', () => {
  it('have a similarity each, in their order', async () => {
    const found = await compare({
      query: 'tide',
      texts: ['moon', 'a text of more letters'],
      withinMs: 10_000,
    })
    expect(found?.[0]).toBeCloseTo(1)
    expect(found?.[1]).toBeLessThan(0.5)
  })

  it('have none where the query is not English, the model is missing, or the time is over', async () => {
    const asked: ComparedTexts = { query: 'tide', texts: ['moon'], withinMs: 10_000 }
    expect(await compare({ ...asked, query: 'прилив' })).toBeUndefined()
    expect(await compare({ ...asked, withinMs: -1 })).toBeUndefined()
    const missing = lazyModel('', () => Promise.reject(new Error('no such file')))
    expect(await textComparison(missing, queryVectors(missing))(asked)).toBeUndefined()
  })
})

/** A thread that takes a while, and notes how many orders it has at once. */
function slowThread(ms: number) {
  const state = { running: 0, most: 0, orders: [] as SearchOrder[] }
  const thread = {
    async ask(order: SearchOrder, signal?: AbortSignal) {
      state.running += 1
      state.most = Math.max(state.most, state.running)
      state.orders.push(order)
      try {
        await sleep(ms, undefined, { signal })
        return [1]
      } finally {
        state.running -= 1
      }
    },
    stop: async () => {},
  } as unknown as SearchThread
  return { thread, state }
}
const log = { warn: () => {} }
const { signal } = new AbortController()

describe('the thread of the model', () => {
  it('gets one order of a team at a time', async () => {
    const { thread, state } = slowThread(5)
    const compare = sentenceComparison(thread, log)({ team: 'a' })
    await Promise.all(Array.from({ length: 10 }, () => compare('tide', ['moon'], signal)))
    expect([state.most, state.orders.length]).toEqual([1, 10])
  })

  it('serves another team between them', async () => {
    const { thread } = slowThread(5)
    const comparison = sentenceComparison(thread, log)
    const done: string[] = []
    const ask = async (team: string) => {
      await comparison({ team })('tide', ['moon'], signal)
      done.push(team)
    }
    await Promise.all([...Array.from({ length: 10 }, () => ask('crowd')), ask('one')])
    expect(done.indexOf('one')).toBeLessThan(4)
  })

  it('gets no more text than it can read in time', async () => {
    const { thread, state } = slowThread(0)
    const long = Array.from({ length: 1000 }, () => 'x'.repeat(100_000))
    await sentenceComparison(thread, log)({ team: 'a' })('tide', long, signal)
    const [order] = state.orders
    const texts = order?.kind === 'compare' ? order.compared.texts : []
    expect(texts.length).toBeLessThan(100)
    expect(texts.every(({ length }) => length <= 2000)).toBe(true)
  })

  it('may die: words alone decide then; a call that has ended fails', async () => {
    const broken = { ask: () => Promise.reject(new Error('died')), stop: async () => {} }
    expect(await sentenceComparison(broken, log)({ team: 'a' })('tide', ['moon'], signal)).toBeUndefined()
    const ended = AbortSignal.abort(new Error('over'))
    await expect(sentenceComparison(broken, log)({ team: 'a' })('tide', ['moon'], ended)).rejects.toThrow(
      'over',
    )
  })
})
