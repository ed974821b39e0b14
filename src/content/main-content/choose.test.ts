import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { readBlocks } from './blocks.ts'
import { chooseThreshold } from './choose.ts'

/** A page of paragraphs, each with so many words and so probably content. */
function choose(...paragraphs: { words: number; probability: number }[]) {
  const html = paragraphs.map(({ words }) => `<p>${'word '.repeat(words)}</p>`).join('')
  const probabilities = Float32Array.from(paragraphs, ({ probability }) => probability)
  return chooseThreshold(readBlocks(parseHtml(html), false), probabilities)
}

describe('the threshold', () => {
  it('keeps the doubtful where all is doubtful', () => {
    const list = Array.from({ length: 10 }, () => ({ words: 5, probability: 0.4 }))
    expect(choose(...list, { words: 50, probability: 0.02 }).threshold).toBeCloseTo(0.4)
  })

  it('leaves the doubtful out where the rest is sure', () => {
    const { threshold, balance } = choose(
      { words: 400, probability: 0.97 },
      { words: 10, probability: 0.5 },
      { words: 200, probability: 0.03 },
    )
    expect(balance).toBeGreaterThan(0.8)
    expect(threshold).toBeGreaterThan(0.5)
  })

  it('is never so high that the probable is lost, nor so low that the improbable is kept', () => {
    expect(choose({ words: 100, probability: 0.99 }).threshold).toBeLessThanOrEqual(0.6)
    expect(choose({ words: 100, probability: 0.05 }).threshold).toBeGreaterThanOrEqual(0.25)
  })

  it('weighs blocks by their words', () => {
    const menu = Array.from({ length: 20 }, () => ({ words: 1, probability: 0.3 }))
    const withLong = choose({ words: 40, probability: 0.9 }, ...menu)
    const withShort = choose({ words: 2, probability: 0.9 }, ...menu)
    expect(withLong.threshold).toBeGreaterThan(withShort.threshold)
  })

  it('is there for a page without text', () => {
    expect(choose()).toEqual({ threshold: 0.5, balance: 0 })
  })
})
