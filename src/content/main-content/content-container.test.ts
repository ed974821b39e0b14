import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { createChoice } from './block-selection.ts'
import { tableSize } from './class-name-features.ts'
import { removeOutsideContainer } from './content-container.ts'
import { readEvidence } from './page-analysis.ts'

/** Empty tables: no word has a score, so only the given probabilities count. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** Returns the blocks that remain of those with a probability of at least 0.3. */
function getRemaining(html: string, ...probabilities: number[]): string {
  const url = 'https://example.test/'
  const evidence = readEvidence({ tree: parseHtml(html), url, readsNoscript: false }, tables)
  expect(evidence.blocks.count).toBe(probabilities.length)
  const choice = createChoice(Uint8Array.from(probabilities, (value) => Number(value >= 0.3)))
  removeOutsideContainer(choice, evidence, Float32Array.from(probabilities))
  return choice.kept.join(' ')
}

const text = (count: number) => `<p>${'word '.repeat(count)}</p>`
const headlines = '<ul><li>One thing<li>Another thing<li>A third thing</ul>'

describe('removeOutsideContainer', () => {
  it('keeps a block outside only if it is more probable than not', () => {
    const html = `<article>${text(60)}${text(40)}</article>${headlines}`
    expect(getRemaining(html, 0.9, 0.9, 0.4, 0.6, 0.4)).toBe('1 1 0 1 0')
  })

  it('keeps improbable blocks inside', () => {
    expect(
      getRemaining(`<article>${text(60)}${headlines}${text(60)}</article>`, 0.9, 0.4, 0.4, 0.4, 0.9),
    ).toBe('1 1 1 1 1')
  })

  it('keeps the title and the subtitle', () => {
    const html = `<h1>Title of it</h1><h2>What it is about</h2><p>By Ada</p><article>${text(60)}${text(60)}</article>`
    expect(getRemaining(html, 0.4, 0.4, 0.4, 0.9, 0.9)).toBe('1 1 0 1 1')
  })

  it('changes nothing on a page of many parts', () => {
    const parts = Array.from({ length: 6 }, () => `<section>${text(60)}</section>`).join('')
    expect(getRemaining(`<article>${text(60)}</article>${parts}`, 0.9, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4)).toBe(
      '1 1 1 1 1 1 1',
    )
  })
})
