import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { chooseThreshold, selectBlocks } from './choose.ts'
import { tableSize } from './class-name-features.ts'
import { readEvidence } from './page-analysis.ts'

/** Empty tables: no word has a score. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** Chooses the threshold for a page of paragraphs, each with a number of words and a probability of being content. */
function choose(...paragraphs: { words: number; probability: number }[]) {
  const html = paragraphs.map(({ words }) => `<p>${'word '.repeat(words)}</p>`).join('')
  const probabilities = Float32Array.from(paragraphs, ({ probability }) => probability)
  const source = { tree: parseHtml(`<nav></nav>${html}`), url: 'https://example.test/', readsNoscript: false }
  return chooseThreshold(readEvidence(source, tables), probabilities)
}

describe('chooseThreshold', () => {
  it('keeps uncertain blocks if all are uncertain', () => {
    const list = Array.from({ length: 10 }, () => ({ words: 5, probability: 0.4 }))
    expect(choose(...list, { words: 50, probability: 0.02 }).threshold).toBeCloseTo(0.4)
  })

  it('omits uncertain blocks if the others are certain', () => {
    const { threshold, balance } = choose(
      { words: 400, probability: 0.97 },
      { words: 10, probability: 0.45 },
      { words: 200, probability: 0.03 },
    )
    expect(balance).toBeGreaterThan(0.8)
    expect(threshold).toBeGreaterThan(0.45)
  })

  it('stays between 0.25 and 0.5 for a confident result', () => {
    expect(choose({ words: 100, probability: 0.99 }).threshold).toBeLessThanOrEqual(0.5)
    expect(choose({ words: 100, probability: 0.05 }).threshold).toBeGreaterThanOrEqual(0.25)
  })

  it('weighs blocks by their words', () => {
    const menu = Array.from({ length: 20 }, () => ({ words: 1, probability: 0.3 }))
    const withLong = choose({ words: 40, probability: 0.9 }, ...menu)
    const withShort = choose({ words: 2, probability: 0.9 }, ...menu)
    expect(withLong.threshold).toBeGreaterThan(withShort.threshold)
  })

  it('returns the default for a page without text', () => {
    expect(choose()).toEqual({ threshold: 0.5, balance: 0 })
  })
})

/** Returns a mask of the blocks that are kept at a threshold of 0.5. */
function kept(html: string, ...probabilities: number[]): number[] {
  const source = { tree: parseHtml(html), url: 'https://example.test/', readsNoscript: false }
  return [...selectBlocks(readEvidence(source, tables), Float32Array.from(probabilities), 0.5)]
}

describe('keptBlocks', () => {
  it('keeps an uncertain item, cell or listing, but not an uncertain paragraph', () => {
    expect(kept('<ul><li>a<li>b</ul><pre>c</pre><p>d</p>', 0.35, 0.2, 0.35, 0.35)).toEqual([1, 0, 1, 0])
  })

  it('keeps an uncertain text with a link', () => {
    expect(kept('<p>a <a href="/b">b</a></p><p>c</p>', 0.4, 0.4)).toEqual([1, 0])
  })

  it('keeps an uncertain heading if all headings are uncertain, but not if the others are certain', () => {
    const headings = '<h1>t</h1><h2>a</h2><h2>b</h2><h2>c</h2><h2>d</h2>'
    expect(kept(headings, 0.9, 0.3, 0.3, 0.3, 0.3)).toEqual([1, 1, 1, 1, 1])
    expect(kept(headings, 0.9, 0.99, 0.99, 0.99, 0.3)).toEqual([1, 1, 1, 1, 0])
  })
})
