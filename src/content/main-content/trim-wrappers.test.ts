import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { root, tagName } from '../tree/tree.ts'
import { narrowest } from './trim-wrappers.ts'

/** The tag of the innermost element, where the elements with these tags are left out. */
function inside(html: string, ...left: string[]): string {
  const tree = parseHtml(html)
  const skipped = Uint8Array.from({ length: tree.count }, (_, node) =>
    left.includes(tagName(tree, node)) ? 1 : 0,
  )
  const node = narrowest(tree, skipped)
  return node === root ? 'root' : tagName(tree, node)
}

describe('the innermost element with all that is kept', () => {
  it('is inside of wrappers, whatever is left out beside them', () => {
    const html =
      '<html><body><nav>n</nav>\n<div><main><p>a</p><p>b</p></main></div><footer>f</footer></body></html>'
    expect(inside(html, 'nav', 'footer')).toBe('main')
  })

  it('is the element with the text', () => {
    expect(inside('<body><div>a<p>b</p></div></body>')).toBe('div')
  })

  it('is not inside of one that means something', () => {
    expect(inside('<body><div><ul><li>a</li></ul></div></body>')).toBe('ul')
  })

  it('is the whole page where parts stand side by side', () => {
    expect(inside('<p>a</p><p>b</p>')).toBe('root')
  })
})
