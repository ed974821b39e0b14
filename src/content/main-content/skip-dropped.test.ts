import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { endOf, isText, root, tagName, textAt } from '../tree/tree.ts'
import { readBlocks } from './blocks.ts'
import { skipDropped } from './main-content.ts'

/** What is left of a page when only these of its blocks are kept: texts, and the tags of elements without any. */
function left(html: string, ...kept: number[]): string {
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

describe('leaving out', () => {
  it('takes the texts of blocks that are not kept', () => {
    expect(left('<p>a</p><p>b</p><p>c</p>', 0, 2)).toBe('a c')
  })

  it('takes a text that stands beside a kept element', () => {
    expect(left('<div>a<p>b</p>c</div>', 1)).toBe('b')
  })

  it('keeps a block whole with the markup in it', () => {
    expect(left('<p>a <b>b</b> <a href=x>c</a></p><p>d</p>', 0)).toBe('a b c')
  })

  it('keeps what stands deep in a kept block', () => {
    const price = `${'<span>'.repeat(20)}<bdi><b>€</b>41.00</bdi>${'</span>'.repeat(20)}`
    expect(left(`<li>Sale ${price}</li><p>b</p>`, 0)).toBe('Sale € 41.00')
  })

  it('takes elements whole, so that none is left empty', () => {
    const tree = parseHtml('<ul><li>a</li><li>b</li></ul><p>c</p>')
    const skipped = skipDropped(tree, readBlocks(tree, false), Uint8Array.of(0, 0, 1))
    expect(tagName(tree, skipped.indexOf(1))).toBe('ul')
  })

  it('keeps an image beside a kept text, also in wrappers of its own', () => {
    expect(left('<div><p>a</p><img src=x></div>', 0)).toBe('a <img>')
    expect(left('<div><figure><div><img src=x></div></figure><p>a</p></div>', 0)).toBe('<img> a')
  })

  it('keeps an image in the many wrappers of a site builder', () => {
    const wrapped = `${'<div>'.repeat(10)}<img src=x>${'</div>'.repeat(10)}`
    expect(left(`<div><p>a</p>${wrapped}<p>b</p></div>`, 0, 1)).toBe('a <img> b')
  })

  it('takes an image beside a text that is left out', () => {
    expect(left('<div><p>a</p></div><div><img src=x><p>b</p></div>', 0)).toBe('a')
  })
})
