import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { endOf, isText, root, tagName, textAt } from '../tree/tree.ts'
import { readBlocks } from './blocks.ts'
import { skipDropped } from './main-content.ts'

/** Returns the remaining texts and empty elements of a page, if only the given blocks are kept. */
function getRemaining(html: string, ...kept: number[]): string {
  const tree = parseHtml(html)
  const blocks = readBlocks(tree, false)
  const skipped = skipDropped(
    tree,
    blocks,
    Uint8Array.from({ length: blocks.count }, (_, block) => (kept.includes(block) ? 1 : 0)),
  )
  const parts: string[] = []
  for (let node = root + 1; node < tree.count; node += 1) {
    if (skipped[node] === 1) node = endOf(tree, node) - 1
    else if (isText(tree, node)) parts.push(textAt(tree, node).trim())
    else if (endOf(tree, node) === node + 1) parts.push(`<${tagName(tree, node)}>`)
  }
  return parts.filter(Boolean).join(' ')
}

describe('skipDropped', () => {
  it('omits the texts of dropped blocks', () => {
    expect(getRemaining('<p>a</p><p>b</p><p>c</p>', 0, 2)).toBe('a c')
  })

  it('omits a text next to a kept element', () => {
    expect(getRemaining('<div>a<p>b</p>c</div>', 1)).toBe('b')
  })

  it('keeps the markup inside a kept block', () => {
    expect(getRemaining('<p>a <b>b</b> <a href=x>c</a></p><p>d</p>', 0)).toBe('a b c')
  })

  it('keeps deeply nested text of a kept block', () => {
    const price = `${'<span>'.repeat(20)}<bdi><b>€</b>41.00</bdi>${'</span>'.repeat(20)}`
    expect(getRemaining(`<li>Sale ${price}</li><p>b</p>`, 0)).toBe('Sale € 41.00')
  })

  it('omits complete elements, so that none is left empty', () => {
    const tree = parseHtml('<ul><li>a</li><li>b</li></ul><p>c</p>')
    const skipped = skipDropped(tree, readBlocks(tree, false), Uint8Array.of(0, 0, 1))
    expect(tagName(tree, skipped.indexOf(1))).toBe('ul')
  })

  it('keeps an image next to a kept text, also inside wrappers', () => {
    expect(getRemaining('<div><p>a</p><img src=x></div>', 0)).toBe('a <img>')
    expect(getRemaining('<div><figure><div><img src=x></div></figure><p>a</p></div>', 0)).toBe('<img> a')
  })

  it('keeps an image in the many wrappers of a site builder', () => {
    const wrapped = `${'<div>'.repeat(10)}<img src=x>${'</div>'.repeat(10)}`
    expect(getRemaining(`<div><p>a</p>${wrapped}<p>b</p></div>`, 0, 1)).toBe('a <img> b')
  })

  it('omits an image next to an omitted text', () => {
    expect(getRemaining('<div><p>a</p></div><div><img src=x><p>b</p></div>', 0)).toBe('a')
  })
})
