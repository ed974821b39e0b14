import { describe, expect, it } from 'vitest'
import { parseHtml } from './parse.ts'
import { createSelectorWriter } from './selector-writer.ts'
import { endOf, isText, type Node, root, textOf } from './tree.ts'

const html =
  '<body><p>a</p><div id="here"><x_y>b</x_y><p>c</p>t<p>d<b>e</b></p></div><div id="1 odd"><i>f</i><x_y>g</x_y></div></body>'

/** Returns the selector of each text of a page. */
function selectors(reorder: (nodes: Node[]) => Node[]): Record<string, string> {
  const tree = parseHtml(html)
  const texts: Node[] = []
  for (let at: Node = root + 1; at < endOf(tree, root); at += 1) if (isText(tree, at)) texts.push(at)
  const writeSelector = createSelectorWriter(tree)
  return Object.fromEntries(reorder(texts).map((node) => [textOf(tree, node), writeSelector(node)]))
}

const expected = {
  a: 'body > p:nth-of-type(1)',
  b: '#here > *:nth-child(1)',
  c: '#here > p:nth-of-type(1)',
  t: '#here',
  d: '#here > p:nth-of-type(2)',
  e: '#here > p:nth-of-type(2) > b:nth-of-type(1)',
  f: 'body > div:nth-of-type(2) > i:nth-of-type(1)',
  g: 'body > div:nth-of-type(2) > *:nth-child(2)',
}

describe('createSelectorWriter', () => {
  it('starts at the nearest plain id and uses sibling positions', () => {
    expect(selectors((nodes) => nodes)).toEqual(expected)
  })

  it('returns the same selectors in any order of calls', () => {
    expect(selectors((nodes) => nodes.toReversed())).toEqual(expected)
  })
})
