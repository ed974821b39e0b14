import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { tagName } from '../tree/tree.ts'
import { tableSize } from './class-name-features.ts'
import { findGeneratorParts, findGenerators } from './generator-parts.ts'
import { readEvidence } from './page-analysis.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

function findParts(html: string) {
  const tree = parseHtml(html)
  const evidence = readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables)
  const { parts, inLines } = findGeneratorParts(evidence, findGenerators(tree))
  return [parts, inLines].map((nodes) => nodes.map((node) => tagName(tree, node)).join(' '))
}

const text = `<p>${'word '.repeat(60)}</p>`

describe('generatorParts', () => {
  it('finds parts by class name', () => {
    const profile = '<dl class="postprofile"><dd class="profile-joined">Joined: 2019</dd></dl>'
    const html = `<body id="phpbb">${profile}${text}<div class="stat-block online-list"><h3>Who is online</h3></div>`
    expect(findParts(html)).toEqual(['dd div', ''])
  })

  it('distinguishes separate parts from parts of a line', () => {
    const card = `<li class="woocommerce-page"><span class="onsale">Sale!</span> <b>32.50</b></li>`
    expect(findParts(`<ul>${card}</ul>${text}`)).toEqual(['', 'span'])
  })

  it('finds parts by tag if only the parent has a known class name', () => {
    const box = (name: string) =>
      `<div class="${name}"><p>Code: <a href="#">Select all</a></p><pre>a = 1</pre></div>`
    expect(findParts(`<body id="phpbb">${text}${box('codebox')}${box('content')}`)).toEqual(['p', ''])
  })

  it('finds parts that the style sheets of the generator hide', () => {
    const price = (state: string) =>
      `<div class="price ${state}"><p><b class="price__regular">1</b></p><p><i class="price__sale">1</i></p>
        <p><u class="price__badge-sold-out">Sold out</u></p></div>`
    const createPage = (state: string) => `<div class="shopify-section">${text}${price(state)}</div>`
    expect(findParts(createPage(''))).toEqual(['i u', ''])
    expect(findParts(createPage('price--on-sale'))).toEqual(['b u', ''])
    expect(findParts(createPage('price--sold-out'))).toEqual(['i', ''])
  })

  it('keeps content parts of the generator', () => {
    const tree = parseHtml(
      `<div class="woocommerce-page">${text}<div class="product_meta">SKU: LI-204</div></div>`,
    )
    const source = { tree, url: 'https://example.test/product/x/', readsNoscript: false }
    expect(findGeneratorParts(readEvidence(source, tables), findGenerators(tree)).kept).toHaveLength(1)
  })

  it('finds nothing on pages of other generators', () => {
    expect(findParts(`<div class="stat-block">Rivers of the north</div>${text}`)).toEqual(['', ''])
  })

  it('keeps parts that are most of the page', () => {
    expect(findParts(`<body id="phpbb"><div class="signature">${text}</div>`)).toEqual(['', ''])
  })
})
