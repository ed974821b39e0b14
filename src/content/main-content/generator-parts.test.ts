import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { tagName } from '../tree/tree.ts'
import { tableSize } from './class-name-features.ts'
import { findGenerators, generatorParts } from './generator-parts.ts'
import { readEvidence } from './page-analysis.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

function found(html: string) {
  const tree = parseHtml(html)
  const evidence = readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables)
  const { parts, inLines } = generatorParts(evidence, findGenerators(tree))
  return [parts, inLines].map((nodes) => nodes.map((node) => tagName(tree, node)).join(' '))
}

const text = `<p>${'word '.repeat(60)}</p>`

describe('parts of pages of a known generator', () => {
  it('are found by their names', () => {
    const profile = '<dl class="postprofile"><dd class="profile-joined">Joined: 2019</dd></dl>'
    const html = `<body id="phpbb">${profile}${text}<div class="stat-block online-list"><h3>Who is online</h3></div>`
    expect(found(html)).toEqual(['dd div', ''])
  })

  it('are distinguished from parts of a line, which stays', () => {
    const card = `<li class="woocommerce-page"><span class="onsale">Sale!</span> <b>32.50</b></li>`
    expect(found(`<ul>${card}</ul>${text}`)).toEqual(['', 'span'])
  })

  it('are found by their tag where only their parent has a name', () => {
    const box = (name: string) =>
      `<div class="${name}"><p>Code: <a href="#">Select all</a></p><pre>a = 1</pre></div>`
    expect(found(`<body id="phpbb">${text}${box('codebox')}${box('content')}`)).toEqual(['p', ''])
  })

  it('are those that its style sheets do not show there', () => {
    const price = (state: string) =>
      `<div class="price ${state}"><p><b class="price__regular">1</b></p><p><i class="price__sale">1</i></p>
        <p><u class="price__badge-sold-out">Sold out</u></p></div>`
    const pageOf = (state: string) => `<div class="shopify-section">${text}${price(state)}</div>`
    expect(found(pageOf(''))).toEqual(['i u', ''])
    expect(found(pageOf('price--on-sale'))).toEqual(['b u', ''])
    expect(found(pageOf('price--sold-out'))).toEqual(['i', ''])
  })

  it('are content where the generator says so', () => {
    const tree = parseHtml(
      `<div class="woocommerce-page">${text}<div class="product_meta">SKU: LI-204</div></div>`,
    )
    const source = { tree, url: 'https://example.test/product/x/', readsNoscript: false }
    expect(generatorParts(readEvidence(source, tables), findGenerators(tree)).kept).toHaveLength(1)
  })

  it('mean nothing on pages of others', () => {
    expect(found(`<div class="stat-block">Rivers of the north</div>${text}`)).toEqual(['', ''])
  })

  it('are kept where they are most of the page', () => {
    expect(found(`<body id="phpbb"><div class="signature">${text}</div>`)).toEqual(['', ''])
  })
})
