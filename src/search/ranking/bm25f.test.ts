import { describe, expect, it } from 'vitest'
import { type Block, rank } from './bm25f.ts'
import { blockSize, type Counts, noCounts, packLengths, packPosting } from './postings.ts'
import { createTop } from './top.ts'

const statistics = { documents: 100, lengths: { title: 500, headings: 2000, body: 50_000 } }

/** A block of documents of average length, given by the counts that one word has in each. */
function blockOf(documents: Record<number, Partial<Counts>>, index = 0): Block {
  const lengths = new Uint32Array(blockSize)
  for (const number of Object.keys(documents))
    lengths[Number(number)] = packLengths({ title: 5, headings: 20, body: 500 })
  const postings = Object.entries(documents).map(([number, counts]) =>
    packPosting(Number(number), { ...noCounts, ...counts }),
  )
  return { index, lengths, words: [[Uint32Array.from(postings)]] }
}

const numbers = (blocks: Block[], most = 10) =>
  rank(blocks, { statistics, frequencies: [3], most }).map(({ number }) => number)

describe('ranking', () => {
  it('puts titles before headings before texts', () => {
    expect(numbers([blockOf({ 1: { body: 1 }, 2: { headings: 1 }, 3: { title: 1 } })])).toEqual([3, 2, 1])
  })

  it('counts a word that is repeated for less each time', () => {
    const [once, often] = rank([blockOf({ 1: { body: 1 }, 2: { body: 100 } })], {
      ...{ statistics, frequencies: [3], most: 2 },
    })
      .toReversed()
      .map(({ score }) => score)
    expect(often).toBeGreaterThan(once ?? 0)
    expect(often).toBeLessThan(3 * (once ?? 0))
  })

  it('puts short documents before long ones', () => {
    const block = blockOf({ 1: { body: 2 }, 2: { body: 2 } })
    block.lengths[1] = packLengths({ title: 5, headings: 20, body: 5000 })
    expect(numbers([block])).toEqual([2, 1])
  })

  it('lets a rare word outweigh a common one', () => {
    const lengths = new Uint32Array(blockSize).fill(packLengths({ title: 5, headings: 20, body: 500 }), 0, 3)
    const one = (number: number) => [Uint32Array.of(packPosting(number, { ...noCounts, body: 1 }))]
    const block = { index: 0, lengths, words: [one(1), one(2)] }
    const found = rank([block], { statistics, frequencies: [90, 2], most: 10 })
    expect(found.map(({ number }) => number)).toEqual([2, 1])
  })

  it('adds the forms of one word before it dampens them', () => {
    const lengths = new Uint32Array(blockSize).fill(packLengths({ title: 5, headings: 20, body: 500 }), 0, 3)
    const list = (number: number, body: number) => Uint32Array.of(packPosting(number, { ...noCounts, body }))
    const block = { index: 0, lengths, words: [[list(1, 2), list(1, 2), list(2, 4)]] }
    const [first, second] = rank([block], { statistics, frequencies: [2], most: 10 })
    expect([first?.number, second?.number]).toEqual([1, 2])
    expect(first?.score).toBe(second?.score)
  })

  it('leaves out documents that are gone or filtered', () => {
    const block = blockOf({ 1: { body: 1 }, 2: { body: 1 }, 3: { body: 1 } })
    block.lengths[1] = 0
    block.allowed = new Uint8Array(blockSize)
    block.allowed[3] = 1
    expect(numbers([block])).toEqual([3])
  })

  it('numbers documents over blocks', () => {
    expect(numbers([blockOf({ 7: { body: 1 } }), blockOf({ 7: { title: 1 } }, 2)])).toEqual([
      2 * blockSize + 7,
      7,
    ])
  })

  it('bounds what is counted', () => {
    const counts = { title: 1000, headings: 1000, address: 1000, body: 100_000 }
    expect(packPosting(blockSize - 1, counts)).toBe(0xffffffff)
    expect(packPosting(blockSize, noCounts)).toBe(0)
    expect(packLengths({ title: 1000, headings: 10_000, body: 100_000 })).toBe(0xffffffff)
    expect(packLengths({ title: 0, headings: 0, body: 0 })).toBeGreaterThan(0)
  })
})

describe('the best of many', () => {
  it('are those that sorting would give', () => {
    const scores = Array.from({ length: 5000 }, (_, index) => ((index * 7919) % 1000) / 10)
    for (const most of [1, 2, 10, 999, 6000]) {
      const top = createTop(most)
      for (const [number, score] of scores.entries()) top.add({ number, score })
      const sorted = scores
        .map((score, number) => ({ number, score }))
        .sort((one, other) => other.score - one.score || one.number - other.number)
        .slice(0, most)
      expect(top.ranked()).toEqual(sorted)
    }
  })
})
