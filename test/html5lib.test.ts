import { describe, expect, it } from 'vitest'
import { parseHtml } from '../src/content/tree/parse.ts'
import {
  attributesOf,
  endOf,
  isText,
  type Node,
  root,
  type Tree,
  tagName,
  textAt,
} from '../src/content/tree/tree.ts'
import { type Shape, type TokenCase, tokenCases, treeCases } from './html5lib/cases.ts'

describe('trees of html5lib', () => {
  it('have the same text and shape in the expected number of cases per file', () => {
    const counts: Record<string, [cases: number, sameText: number, sameShape: number]> = {}
    for (const { file, html, expected } of treeCases()) {
      counts[file] ??= [0, 0, 0]
      const shape = shapeOf(html)
      counts[file][0] += 1
      counts[file][1] += Number(same(textsOf(shape), textsOf(expected)))
      counts[file][2] += Number(same(normalize(shape), normalize(expected)))
    }
    expect(counts).toEqual(expectedCounts)
  })
})

/**
 * Number of equal cases per file. Increase it when more cases are equal. README.md next to the cases explains the
 * differences.
 */
const expectedCounts: Record<string, [cases: number, sameText: number, sameShape: number]> = {
  adoption01: [17, 17, 2],
  adoption02: [2, 2, 0],
  blocks: [48, 48, 47],
  comments01: [16, 16, 16],
  doctype01: [37, 37, 36],
  'domjs-unsafe': [49, 41, 40],
  entities01: [75, 75, 75],
  entities02: [26, 26, 26],
  'html5test-com': [24, 24, 22],
  inbody01: [4, 4, 4],
  isindex: [4, 4, 4],
  'main-element': [3, 3, 3],
  'menuitem-element': [20, 20, 18],
  'namespace-sensitivity': [1, 0, 0],
  noscript01: [18, 16, 12],
  'pending-spec-changes-plain-text-unsafe': [1, 1, 0],
  'pending-spec-changes': [3, 3, 2],
  'plain-text-unsafe': [33, 26, 21],
  ruby: [21, 21, 21],
  scriptdata01: [27, 20, 20],
  tables01: [17, 17, 12],
  template: [108, 107, 86],
  tests1: [114, 114, 84],
  tests10: [54, 52, 39],
  tests11: [13, 13, 13],
  tests12: [2, 2, 2],
  tests14: [7, 7, 7],
  tests15: [14, 14, 5],
  tests16: [191, 167, 166],
  tests17: [13, 13, 5],
  tests18: [36, 30, 22],
  tests19: [105, 103, 49],
  tests2: [62, 59, 55],
  tests20: [44, 44, 37],
  tests21: [25, 25, 25],
  tests22: [5, 5, 0],
  tests23: [5, 5, 0],
  tests24: [8, 8, 8],
  tests25: [26, 26, 23],
  tests26: [16, 16, 2],
  tests3: [24, 24, 20],
  tests5: [16, 15, 15],
  tests6: [39, 38, 28],
  tests7: [30, 30, 21],
  tests8: [10, 10, 4],
  tests9: [27, 27, 14],
  tricky01: [9, 9, 0],
  webkit01: [50, 50, 40],
  webkit02: [17, 17, 11],
}

describe('tokens of html5lib', () => {
  it('are the same except for NULs and the end tag that is a line break', () => {
    const different = tokenCases().flatMap((test) =>
      test.states.filter((state) => !isSame(test, state)).map(() => test.input),
    )
    const withNul = ['</\0', '<a \0>', '<a a \0>', "<a a=''\0>", '<a/\0>']
    expect(different).toEqual([...withNul, '</br/>'])
  })
})

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function shapeOf(html: string): Shape {
  return { name: '', attributes: {}, children: childrenOf(parseHtml(html), root) }
}

function childrenOf(tree: Tree, parent: Node): Shape['children'] {
  const children: Shape['children'] = []
  for (let node = parent + 1; node < endOf(tree, parent); node = endOf(tree, node)) {
    if (isText(tree, node)) children.push(textAt(tree, node))
    else {
      const attributes = Object.fromEntries(attributesOf(tree, node))
      children.push({ name: tagName(tree, node), attributes, children: childrenOf(tree, node) })
    }
  }
  return children
}

const impliedElements = new Set(['html', 'head', 'body', 'tbody', 'colgroup'])

/** Returns the shape without implied elements and blank texts. */
function normalize({ name, attributes, children }: Shape): unknown {
  const content = joinTexts(children.flatMap(withoutImplied))
  return [
    name,
    sorted(attributes),
    content.map((child) => (typeof child === 'string' ? child : normalize(child))),
  ]
}

function withoutImplied(child: Shape | string): Shape['children'] {
  if (typeof child === 'string' || !impliedElements.has(child.name)) return [child]
  return child.children.flatMap(withoutImplied)
}

function joinTexts(children: Shape['children']): Shape['children'] {
  const list: Shape['children'] = []
  for (const child of children) {
    const last = list.at(-1)
    if (typeof child === 'string' && typeof last === 'string') list[list.length - 1] = last + child
    else list.push(child)
  }
  return list.filter((child) => typeof child !== 'string' || child.trim() !== '')
}

const sorted = (values: Record<string, string>) =>
  Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))

const holderElements =
  'iframe math noembed noframes noscript script select style svg template textarea title xmp'.split(' ')

/**
 * Returns the characters of a page by their holder: the page itself, or an element whose content is not page text.
 * Characters are sorted, because text between table cells is moved.
 */
function textsOf(shape: Shape): unknown {
  const texts: Record<string, string> = {}
  gatherTexts(shape, 'page', texts)
  return sorted(texts).map(([holder, text]) => [holder, [...text].sort().join('')])
}

function gatherTexts({ name, children }: Shape, parentHolder: string, texts: Record<string, string>): void {
  const holder = parentHolder === 'page' && holderElements.includes(name) ? name : parentHolder
  for (const child of children) {
    if (typeof child !== 'string') gatherTexts(child, holder, texts)
    else if (child.trim() !== '') texts[holder] = (texts[holder] ?? '') + child.replace(/\s+/g, '')
  }
}

/** Pages that put a tokenizer into each state. */
const pagesByState: Record<string, { before: string; name: string; elements: number }> = {
  'Data state': { before: '', name: '', elements: 0 },
  'RCDATA state': { before: '<textarea>', name: 'textarea', elements: 1 },
  'RAWTEXT state': { before: '<style>', name: 'style', elements: 1 },
  'Script data state': { before: '<script>', name: 'script', elements: 1 },
  'PLAINTEXT state': { before: '<plaintext>', name: 'plaintext', elements: 1 },
  'CDATA section state': { before: '<svg><![CDATA[', name: '', elements: 1 },
}

function isSame({ lastStartTag, input, text, tags }: TokenCase, state: string): boolean {
  const page = pagesByState[state]
  if (!page) throw new Error(`There is no page for the ${state}`)
  // The tests name one element for several states.
  const renameEndTag = (html: string) =>
    lastStartTag === '' ? html : html.replace(new RegExp(`</${lastStartTag}`, 'gi'), `</${page.name}`)
  const tree = parseHtml(page.before + renameEndTag(input))
  const actual = { text: '', tags: [] as unknown[] }
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) actual.text += textAt(tree, node)
    else actual.tags.push(tagOf(tagName(tree, node), Object.fromEntries(attributesOf(tree, node))))
  }
  const expected = {
    text: clean(renameEndTag(text)),
    tags: tags.map(([name, attributes]) => tagOf(name, attributes)),
  }
  return same({ text: clean(actual.text), tags: actual.tags.slice(page.elements) }, expected)
}

const tagOf = (name: string, attributes: Record<string, string>) => [
  clean(name),
  sorted(attributes).map((pair) => pair.map(clean)),
]

/**
 * Removes blanks, NULs and replacement characters. The parser may drop blanks at the start of a page, and drops NULs.
 */
const clean = (text: string) => text.replace(/[\s\0\ufffd]+/g, '')
