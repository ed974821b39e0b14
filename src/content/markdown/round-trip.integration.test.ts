import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { randomPage } from '../../../test/markdown/random-page.ts'
import { wholePage } from '../../../test/markdown/whole-page.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import { parseHtml } from '../tree/parse.ts'
import { attribute, endOf, type Node, none, parentOf, type Tree, tagName, textOf } from '../tree/tree.ts'

const base = 'https://x.test/'

/** The page that a reader of Markdown makes of it. */
function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}

const squeezed = (text: string) => text.replace(/\s+/g, '')

const headings = tagSet('h1 h2 h3 h4 h5 h6')

function elements(tree: Tree, isOne: (name: number) => boolean): Node[] {
  const found: Node[] = []
  for (let node = 1; node < tree.count; node += 1) if (isOne(tree.tags[node] ?? 0)) found.push(node)
  return found
}

/** What must come back: the text, and all that readers and programs find their way by. */
function structureOf(html: string) {
  const tree = parseHtml(html)
  const text = (node: Node) => squeezed(textOf(tree, node))
  const written = (node: Node) => text(node) !== ''
  return {
    text: text(0),
    headings: elements(tree, (name) => headings[name] === 1)
      .filter(written)
      .map((node) => [tagName(tree, node), text(node)]),
    links: elements(tree, (name) => name === tag.a)
      .filter(written)
      .map((node) => [text(node), addressOf(attribute(tree, node, attr.href))]),
    code: elements(tree, (name) => name === tag.pre).map((node) => textOf(tree, node).replace(/\n+$/, '')),
    rows: elements(tree, (name) => name === tag.tr)
      .filter(written)
      .map((node) => cellsOf(tree, node)),
    items: itemsOf(tree),
    images: elements(tree, (name) => name === tag.img).map((node) =>
      squeezed(attribute(tree, node, attr.alt) ?? ''),
    ),
  }
}

/** Items with their text. The items of a list that an item begins with stand for it; what follows is an item too. */
function itemsOf(tree: Tree): string[][] {
  const items: string[][] = []
  for (const item of elements(tree, (name) => name === tag.li)) {
    const list = parentOf(tree, item)
    let text = squeezed(textOf(tree, item))
    let inner = leadingList(tree, item, item + 1)
    while (inner !== none) {
      text = text.slice(squeezed(textOf(tree, inner)).length)
      inner = leadingList(tree, item, endOf(tree, inner))
    }
    if (text !== '') items.push([tagName(tree, list), text])
  }
  return items.sort((a, b) => a.join().localeCompare(b.join()))
}

const wrappers = tagSet('div p')

function leadingList(tree: Tree, item: Node, from: Node): Node {
  const end = endOf(tree, item)
  for (let at = from; at < end; ) {
    const name = tree.tags[at] ?? 0
    if (squeezed(textOf(tree, at)) === '') at = endOf(tree, at)
    else if (wrappers[name] === 1) at += 1
    else return name === tree.tags[parentOf(tree, item)] ? at : none
  }
  return none
}

/** Readers differ in what they encode. */
function addressOf(href: string | undefined): string {
  return decodeURIComponent(URL.parse(href ?? '', base)?.href ?? '')
}

function cellsOf(tree: Tree, row: Node): string[] {
  const cells: string[] = []
  const end = endOf(tree, row)
  for (let at = row + 1; at < end; at = endOf(tree, at))
    if (tree.tags[at] !== 0) cells.push(squeezed(textOf(tree, at)))
  return cells
}

describe('Markdown read back', () => {
  const pages = Array.from({ length: 12 }, (_, index) => index * 40)

  it.each(pages)('gives the same text, headings, links, tables, lists and code: pages from %i', (start) => {
    for (let seed = start; seed < start + 40; seed += 1) {
      const html = randomPage(seed)
      const markdown = wholePage(html, { base })
      expect(structureOf(rendered(markdown)), `page ${seed}:\n${html}\n\n${markdown}`).toEqual(
        structureOf(html),
      )
    }
  })
})
