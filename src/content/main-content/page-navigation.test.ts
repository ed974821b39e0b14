import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { createChoice } from './block-selection.ts'
import { tableSize } from './class-name-features.ts'
import { readEvidence } from './page-analysis.ts'
import { removeNavigation } from './page-navigation.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }
const url = 'https://example.test/docs/'

/** Returns the number of remaining lines. */
function countRemaining(...lines: string[]): number {
  const tree = parseHtml(lines.map((line) => `<p>${line}</p>`).join(''))
  const evidence = readEvidence({ tree, url, readsNoscript: false }, tables)
  const choice = createChoice(new Uint8Array(evidence.blocks.count).fill(1))
  removeNavigation(choice, evidence, url)
  return choice.kept.reduce((sum, one) => sum + one, 0)
}

const link = (text: string) => `<a href="/other">${text}</a>`

describe('removeNavigation', () => {
  it.each([
    link('Edit this page'),
    link('Go to the source code of this file.'),
    `Download OpenAPI specification:${link('Download')}`,
    `1.2.0 · ${link('source')}`,
  ])('removes %s', (line) => {
    expect(countRemaining('A text.', line)).toBe(1)
  })

  it.each([link('The source of the river'), `Download ${link('the sheet')}`])('keeps %s', (line) => {
    expect(countRemaining('A text.', line)).toBe(2)
  })

  it('handles long runs of symbols in linear time', () => {
    expect(countRemaining(`1${'.'.repeat(60)}${link('x')}`, link(`a${'.'.repeat(500_000)}b`))).toBe(2)
  }, 2000)
})
