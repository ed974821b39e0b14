import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { randomPage } from '../../../test/markdown/random-page.ts'
import { wholePage } from '../../../test/markdown/whole-page.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import { parseHtml } from '../tree/parse.ts'
import { attribute, endOf, type Node, none, parentOf, type Tree, tagName, textOf } from '../tree/tree.ts'

const base = 'https://x.test/'

/** Returns the HTML that a Markdown parser creates. */
function render(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}

const removeSpaces = (text: string) => text.replace(/\s+/g, '')

const headings = tagSet('h1 h2 h3 h4 h5 h6')

function findElements(tree: Tree, isMatch: (name: number) => boolean): Node[] {
  const found: Node[] = []
  for (let node = 1; node < tree.count; node += 1) if (isMatch(tree.tags[node] ?? 0)) found.push(node)
  return found
}

/** Returns what a round trip must preserve: the text, and all structures that consumers use. */
function getStructure(html: string) {
  const tree = parseHtml(html)
  const text = (node: Node) => removeSpaces(textOf(tree, node))
  const hasText = (node: Node) => text(node) !== ''
  return {
    text: text(0),
    headings: findElements(tree, (name) => headings[name] === 1)
      .filter(hasText)
      .map((node) => [tagName(tree, node), text(node)]),
    links: findElements(tree, (name) => name === tag.a)
      .filter(hasText)
      .map((node) => [text(node), decodeUrl(attribute(tree, node, attr.href))]),
    code: findElements(tree, (name) => name === tag.pre).map((node) =>
      textOf(tree, node).replace(/\n+$/, ''),
    ),
    rows: findElements(tree, (name) => name === tag.tr)
      .filter(hasText)
      .map((node) => getCells(tree, node)),
    items: getItems(tree),
    images: findElements(tree, (name) => name === tag.img).map((node) =>
      removeSpaces(attribute(tree, node, attr.alt) ?? ''),
    ),
  }
}

/**
 * Returns list items with their text. Items of a list at the start of an item replace it; further text is a separate
 * item.
 */
function getItems(tree: Tree): string[][] {
  const items: string[][] = []
  for (const item of findElements(tree, (name) => name === tag.li)) {
    const list = parentOf(tree, item)
    let text = removeSpaces(textOf(tree, item))
    let inner = findLeadingList(tree, item, item + 1)
    while (inner !== none) {
      text = text.slice(removeSpaces(textOf(tree, inner)).length)
      inner = findLeadingList(tree, item, endOf(tree, inner))
    }
    if (text !== '') items.push([tagName(tree, list), text])
  }
  return items.sort((a, b) => a.join().localeCompare(b.join()))
}

const wrappers = tagSet('div p')

function findLeadingList(tree: Tree, item: Node, from: Node): Node {
  const end = endOf(tree, item)
  for (let at = from; at < end; ) {
    const name = tree.tags[at] ?? 0
    if (removeSpaces(textOf(tree, at)) === '') at = endOf(tree, at)
    else if (wrappers[name] === 1) at += 1
    else return name === tree.tags[parentOf(tree, item)] ? at : none
  }
  return none
}

/** Decodes the URL, because parsers encode different characters. */
function decodeUrl(href: string | undefined): string {
  return decodeURIComponent(URL.parse(href ?? '', base)?.href ?? '')
}

function getCells(tree: Tree, row: Node): string[] {
  const cells: string[] = []
  const end = endOf(tree, row)
  for (let at = row + 1; at < end; at = endOf(tree, at))
    if (tree.tags[at] !== 0) cells.push(removeSpaces(textOf(tree, at)))
  return cells
}

describe('Markdown round trip', () => {
  const pages = Array.from({ length: 12 }, (_, index) => index * 40)

  it.each(pages)('preserves text, headings, links, tables, lists and code: pages from %i', (start) => {
    for (let seed = start; seed < start + 40; seed += 1) {
      const html = randomPage(seed)
      const markdown = wholePage(html, { base })
      expect(getStructure(render(markdown)), `page ${seed}:\n${html}\n\n${markdown}`).toEqual(
        getStructure(html),
      )
    }
  })
})
