import { expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { firstChoice } from './choice.ts'
import { readEvidence } from './evidence.ts'
import { tableSize } from './hashing.ts'
import { keepQuoted } from './whole-quotes.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

function quoted(html: string, ...kept: number[]): number[] {
  const tree = parseHtml(html)
  const choice = firstChoice(Uint8Array.from(kept))
  keepQuoted(choice, readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables))
  return [...choice.kept]
}

const quotation =
  '<blockquote><div>Marlow said:</div><div>The pier is dry at low water, so bring boots.</div></blockquote><p>It is.</p>'

it('keeps who is quoted where the quotation is kept', () => {
  expect(quoted(quotation, 0, 1, 1)).toEqual([1, 1, 1])
})

it('leaves a quotation out whole', () => {
  expect(quoted(quotation, 0, 0, 1)).toEqual([0, 0, 1])
})

it('keeps a long first part out: it is not who is quoted', () => {
  expect(quoted(quotation.replace('said:', 'said '.repeat(30)), 0, 1, 1)).toEqual([0, 1, 1])
})

it('reads many quotations inside each other', () => {
  const depth = 20_000
  expect(quoted(`${'<blockquote>'.repeat(depth)}<p>a</p><p>b</p>`, 0, 1)).toEqual([1, 1])
})
