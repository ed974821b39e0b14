import { describe, expect, it } from 'vitest'
import { findNarrowest } from './select-content.ts'
import { parseHtml } from './tree/parse.ts'
import { root, tagName } from './tree/tree.ts'

/** Returns the tag of the innermost element, if elements with the given tags are omitted. */
function getInnermost(html: string, ...omittedTags: string[]): string {
  const tree = parseHtml(html)
  const skipped = Uint8Array.from({ length: tree.count }, (_, node) =>
    omittedTags.includes(tagName(tree, node)) ? 1 : 0,
  )
  const node = findNarrowest(tree, skipped)
  return node === root ? 'root' : tagName(tree, node)
}

describe('narrowest', () => {
  it('is inside wrappers, even next to omitted elements', () => {
    const html =
      '<html><body><nav>n</nav>\n<div><main><p>a</p><p>b</p></main></div><footer>f</footer></body></html>'
    expect(getInnermost(html, 'nav', 'footer')).toBe('main')
  })

  it('is the element with the text', () => {
    expect(getInnermost('<body><div>a<p>b</p></div></body>')).toBe('div')
  })

  it('is not inside an element with a meaning', () => {
    expect(getInnermost('<body><div><ul><li>a</li></ul></div></body>')).toBe('ul')
  })

  it('is the root if there are several parts', () => {
    expect(getInnermost('<p>a</p><p>b</p>')).toBe('root')
  })
})
