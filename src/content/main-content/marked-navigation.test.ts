import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { tagName } from '../tree/tree.ts'
import { readEvidence } from './evidence.ts'
import { tableSize } from './hashing.ts'
import { markedNavigation } from './marked-navigation.ts'

const tables = { names: new Int8Array(tableSize), words: new Int8Array(tableSize) }

function found(html: string) {
  const tree = parseHtml(html)
  const evidence = readEvidence({ tree, url: 'https://example.test/', readsNoscript: false }, tables)
  return markedNavigation(evidence).map((node) => tagName(tree, node))
}

const marked = (tag: string, text: string) =>
  `<${tag} itemscope itemtype="http://schema.org/SiteNavigationElement"><a href="?page=1">${text}</a></${tag}>`

describe('navigation that a page marks for machines', () => {
  it('is found, wherever it stands', () => {
    const text = '<p>A topic with as many words as it needs.</p>'
    expect(found(`<main>${text}${marked('div', 'next page')}</main>${marked('li', 'Home')}`)).toEqual([
      'div',
      'li',
    ])
  })

  it('is the content of a page that has little else', () => {
    expect(found(`<h1>Site map</h1>${marked('li', 'Knots of the north')}${marked('li', 'Tides')}`)).toEqual(
      [],
    )
  })
})
