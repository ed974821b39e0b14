import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { type Node, none, type Tree, tagName } from '../tree/tree.ts'
import { readBlocks } from './blocks.ts'
import { heldBy, readElements } from './elements.ts'
import { tableSize } from './hashing.ts'
import { wordBucket } from './name-tokens.ts'

/** Tables that know two words. */
const names = new Int8Array(tableSize)
names[wordBucket('story')] = 40
names[wordBucket('sidebar')] = -50

function read(html: string) {
  const tree = parseHtml(html)
  const blocks = readBlocks(tree, false)
  return { tree, blocks, elements: readElements(tree, blocks, names) }
}

function first(tree: Tree, name: string): Node {
  for (let node = 1; node < tree.count; node += 1) if (tagName(tree, node) === name) return node
  return none
}

describe('elements', () => {
  it('are judged by their names and by those around them', () => {
    const { tree, elements } = read('<div class=story><aside class=sidebar><p>a</p></aside></div>')
    const paragraph = first(tree, 'p')
    expect(elements.scores[first(tree, 'aside')]).toBe(-50)
    expect(elements.scores[paragraph]).toBe(0)
    expect(elements.paths[paragraph]).toBe(-10)
    expect([elements.lows[paragraph], elements.highs[paragraph]]).toEqual([-50, 40])
  })

  it('are counted among siblings that look the same', () => {
    const { tree, elements } = read(
      '<ul><li class=a>1<li class=a>2<li class=b>3</ul><ol><li class=a>4</ol><ul><li class=a></ul>',
    )
    const items = Array.from(tree.tags.keys()).filter((node) => tagName(tree, node) === 'li')
    expect(items.map((item) => elements.repeats[item])).toEqual([2, 2, 1, 1, 0])
  })

  it('know the nearest element around them that holds more', () => {
    const { tree, elements } = read('<section><div><div><p>a</p></div></div><h2>b</h2></section>')
    expect(elements.wider[first(tree, 'p')]).toBe(first(tree, 'section'))
    expect(elements.wider[first(tree, 'section')]).toBe(none)
  })

  it('know how many blocks they hold', () => {
    const { tree, blocks } = read('<ul><li>a<li>b</ul><p>c</p>')
    expect(heldBy(tree, blocks, first(tree, 'ul'))).toBe(2)
  })
})
