import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import type { Choice } from './block-selection.ts'
import { tableSize } from './class-name-features.ts'
import { applyGuards } from './main-content.ts'
import { readEvidence } from './page-analysis.ts'

/** Empty tables: no word has a score, so only the guards count. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** Returns the result and reason for each block, if blocks with a probability of at least 0.5 are chosen. */
function guard(html: string, ...probabilities: number[]): string[] {
  const source = { tree: parseHtml(html), url: 'https://example.test/', readsNoscript: false }
  const evidence = readEvidence(source, tables)
  expect(evidence.blocks.count).toBe(probabilities.length)
  const kept = Uint8Array.from(probabilities, (value) => (value >= 0.5 ? 1 : 0))
  const choice: Choice = {
    kept,
    reasons: Array.from(kept, (value) => (value === 1 ? 'probable' : 'improbable')),
  }
  applyGuards(choice, evidence, Float32Array.from(probabilities))
  return Array.from(choice.kept, (value, block) => `${value === 1 ? '+' : '-'} ${choice.reasons[block]}`)
}

const words = (count: number) => 'word '.repeat(count)

describe('applyGuards', () => {
  it('fills the gaps of a table that is mostly kept', () => {
    const html = '<table><tr><td>one two<td>three four<tr><td>five six<td>seven eight</table>'
    expect(guard(html, 0.9, 0.9, 0.4, 0.9)).toEqual([
      '+ probable',
      '+ probable',
      '+ whole table',
      '+ probable',
    ])
  })

  it('drops a table of which little would be kept', () => {
    const html = '<table><tr><td>one two<td>three four<tr><td>five six<td>seven eight</table>'
    expect(guard(html, 0.1, 0.1, 0.6, 0.1)[2]).toBe('- whole table')
  })

  it('does not change layout tables', () => {
    const html = `<table><tr><td>a<td><h2>b</h2><p>c</p><td>d<td>e</table>`
    expect(guard(html, 0.1, 0.9, 0.9, 0.1, 0.1)).toEqual([
      '- improbable',
      '+ probable',
      '+ probable',
      '- improbable',
      '- improbable',
    ])
  })

  it('keeps an item between kept items', () => {
    const html = '<ul><li>one two<li>three four<li>five six</ul>'
    expect(guard(html, 0.9, 0.3, 0.9)[1]).toBe('+ between kept parts')
    expect(guard(html, 0.9, 0.1, 0.9)[1]).toBe('- improbable')
  })

  it('does not keep a paragraph between kept paragraphs, which may be a promotion', () => {
    const html = `<p>${words(30)}</p><p>Sign up to our letter</p><p>${words(30)}</p>`
    expect(guard(html, 0.9, 0.3, 0.9)[1]).toBe('- improbable')
  })

  it('keeps the heading of a kept part', () => {
    const html = `<div><p>${words(30)}</p></div><section><h3>On tides</h3><p>${words(30)}</p></section>`
    expect(guard(html, 0.1, 0.15, 0.9)[1]).toBe('+ heading of a kept part')
  })

  it('does not keep the heading of an omitted part', () => {
    const html = `<div><p>${words(30)}</p></div><section><h3>Related</h3><p>${words(10)}</p></section>`
    expect(guard(html, 0.9, 0.15, 0.1)[1]).toBe('- improbable')
  })
})

describe('applyGuards with a title', () => {
  const page = (heading: string, rest: string) => `<title>On tides</title><h1>${heading}</h1>${rest}`

  it('keeps the title', () => {
    expect(guard(page('On tides', `<p>a</p><p>${words(30)}</p>`), 0.35, 0.1, 0.9)[0]).toBe('+ title')
  })

  it('does not keep a heading that is certainly not the title of the text', () => {
    expect(guard(page('Harbour News', `<p>a</p><p>${words(30)}</p>`), 0.05, 0.1, 0.9)[0]).toBe('- improbable')
  })

  it('does not keep the title twice', () => {
    const html = page('On tides', `<p>a</p><div>On tides</div><p>${words(30)}</p>`)
    expect(guard(html, 0.35, 0.1, 0.9, 0.9)[0]).toBe('- improbable')
  })
})
