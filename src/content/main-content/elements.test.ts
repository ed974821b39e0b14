import { describe, expect, it } from 'vitest'
import { attr } from '../tree/names.ts'
import { parseHtml } from '../tree/parse.ts'
import { attribute, type Node, none, type Tree, tagName, textOf } from '../tree/tree.ts'
import { readBlocks } from './blocks.ts'
import { tableSize, wordBucket } from './class-name-features.ts'
import { blockCountIn, readElements, region, regionAround } from './elements.ts'

/** Tables with scores of two words. */
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

describe('readElements', () => {
  it('scores elements by their names and by those of their ancestors', () => {
    const { tree, elements } = read('<div class=story><aside class=sidebar><p>a</p></aside></div>')
    const paragraph = first(tree, 'p')
    expect(elements.scores[first(tree, 'aside')]).toBe(-50)
    expect(elements.scores[paragraph]).toBe(0)
    expect(elements.scoreSums[paragraph]).toBe(-10)
    expect([elements.minScores[paragraph], elements.maxScores[paragraph]]).toEqual([-50, 40])
  })

  it('counts siblings of similar structure', () => {
    const { tree, elements } = read(
      '<ul><li class=a>1<li class=a>2<li class=b>3</ul><ol><li class=a>4</ol><ul><li class=a></ul>',
    )
    const items = Array.from(tree.tags.keys()).filter((node) => tagName(tree, node) === 'li')
    expect(items.map((item) => elements.repeats[item])).toEqual([2, 2, 1, 1, 0])
  })

  it('stores the nearest ancestor with more blocks', () => {
    const { tree, elements } = read('<section><div><div><p>a</p></div></div><h2>b</h2></section>')
    expect(elements.wider[first(tree, 'p')]).toBe(first(tree, 'section'))
    expect(elements.wider[first(tree, 'section')]).toBe(none)
  })

  it('stores the number of blocks', () => {
    const { tree, blocks } = read('<ul><li>a<li>b</ul><p>c</p>')
    expect(blockCountIn(tree, blocks, first(tree, 'ul'))).toBe(2)
  })
})

/** Returns the id, or else the tag, of the region of this kind around the element with the text "x". */
function getRegion(html: string, kind: keyof typeof region): string | undefined {
  const tree = parseHtml(html)
  const elements = readElements(tree, readBlocks(tree, false), new Int8Array(tableSize))
  const holder = Array.from(tree.tags.keys()).findLast(
    (node) => textOf(tree, node) === 'x' && tree.tags[node] !== 0,
  )
  const found = regionAround(elements.regions, holder ?? none, region[kind])
  return found === none ? undefined : (attribute(tree, found, attr.id) ?? tagName(tree, found))
}

describe('regions', () => {
  it('begin at their tags and contain all descendants', () => {
    expect(getRegion('<nav><ul><li><p>x</p></li></ul></nav>', 'nav')).toBe('nav')
    expect(getRegion('<nav><ul><li><p>x</p></li></ul></nav>', 'list')).toBe('ul')
  })

  it('do not contain siblings', () => {
    expect(getRegion('<div><nav>a</nav><p>x</p></div>', 'nav')).toBeUndefined()
  })

  it('begin at their roles', () => {
    expect(getRegion('<div role="Navigation"><p>x</p></div>', 'nav')).toBe('div')
    expect(getRegion('<div role=contentinfo><p>x</p></div>', 'footer')).toBe('div')
  })

  it.each(['hidden', 'style="display: none"', 'aria-hidden=true', 'role=dialog'])(
    'are hidden with %s',
    (attribute) => {
      expect(getRegion(`<div ${attribute}><p>x</p></div>`, 'hidden')).toBe('div')
    },
  )

  it('are not hidden otherwise', () => {
    expect(getRegion('<div aria-hidden=false style="display:block"><p>x</p></div>', 'hidden')).toBeUndefined()
  })

  it('are the innermost elements of their kind', () => {
    expect(getRegion('<article id=a><article id=b><p>x</p></article></article>', 'article')).toBe('b')
  })

  it('are the outermost comments element, but the innermost text body', () => {
    const html = '<div id=a class="comments body"><div id=b class="comment body"><p>x</p></div></div>'
    expect(getRegion(html, 'comments')).toBe('a')
    expect(getRegion(html, 'body')).toBe('b')
  })

  it('may begin several kinds at one element', () => {
    const html = '<section id=a role=complementary class=comments hidden><p>x</p></section>'
    const kinds = ['section', 'aside', 'comments', 'hidden'] as const
    expect(kinds.map((kind) => getRegion(html, kind))).toEqual(['a', 'a', 'a', 'a'])
  })
})
