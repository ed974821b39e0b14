import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { firstChoice } from './block-selection.ts'
import { tableSize } from './class-name-features.ts'
import { removeOutsideContainer } from './content-container.ts'
import { readEvidence } from './page-analysis.ts'

/** Nothing is known of any word, so that only the probabilities given here speak. */
const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

/** Which blocks of a page are left of those from 0.3 on. */
function left(html: string, ...probabilities: number[]): string {
  const url = 'https://example.test/'
  const evidence = readEvidence({ tree: parseHtml(html), url, readsNoscript: false }, tables)
  expect(evidence.blocks.count).toBe(probabilities.length)
  const choice = firstChoice(Uint8Array.from(probabilities, (value) => Number(value >= 0.3)))
  removeOutsideContainer(choice, evidence, Float32Array.from(probabilities))
  return choice.kept.join(' ')
}

const text = (count: number) => `<p>${'word '.repeat(count)}</p>`
const headlines = '<ul><li>One thing<li>Another thing<li>A third thing</ul>'

describe('what stands outside the text of a page', () => {
  it('is kept only where it is more likely than not', () => {
    const html = `<article>${text(60)}${text(40)}</article>${headlines}`
    expect(left(html, 0.9, 0.9, 0.4, 0.6, 0.4)).toBe('1 1 0 1 0')
  })

  it('does not touch what is unlikely inside', () => {
    expect(left(`<article>${text(60)}${headlines}${text(60)}</article>`, 0.9, 0.4, 0.4, 0.4, 0.9)).toBe(
      '1 1 1 1 1',
    )
  })

  it('has the title and the line below it', () => {
    const html = `<h1>Title of it</h1><h2>What it is about</h2><p>By Ada</p><article>${text(60)}${text(60)}</article>`
    expect(left(html, 0.4, 0.4, 0.4, 0.9, 0.9)).toBe('1 1 0 1 1')
  })

  it('is not distinguished from the text of a page of many parts', () => {
    const parts = Array.from({ length: 6 }, () => `<section>${text(60)}</section>`).join('')
    expect(left(`<article>${text(60)}</article>${parts}`, 0.9, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4)).toBe(
      '1 1 1 1 1 1 1',
    )
  })
})
