import { describe, expect, it } from 'vitest'
import { repaired, written } from '../../../test/written-tree.ts'
import { parseHtml } from './parse.ts'
import {
  attributesSource,
  endOf,
  hasEndTag,
  isInside,
  nextSibling,
  none,
  parentOf,
  root,
  tagName,
  textOf,
} from './tree.ts'

describe('repair of tags', () => {
  it.each([
    ['a paragraph ends before a block', '<p>a<p>b<div>c', '<p>a</p><p>b</p><div>c</div>'],
    [
      'a list item ends before the next',
      '<ul><li>a<ul><li>b</ul><li>c</ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    [
      'a term ends before its definition',
      '<dl><dt>a<dd>b<dt>c</dl>',
      '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>',
    ],
    [
      'cells and rows end before the next',
      '<table><tr><td>a<td>b<tr><td><b>c</table>d',
      '<table><tr><td>a</td><td>b</td></tr><tr><td><b>c</b></td></tr></table>d',
    ],
    [
      'a nested table stays inside its cell',
      '<table><tr><td><table><tr><td>a</table><td>b</table>',
      '<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>',
    ],
    [
      'a stray end tag does not leave its cell',
      '<div><table><tr><td>a</div>b</table>c</div>',
      '<div><table><tr><td>ab</td></tr></table>c</div>',
    ],
    [
      'a stray inline end tag does not end a block',
      '<span><div>a</span>b</div>',
      '<span><div>ab</div></span>',
    ],
    [
      'a head ends where the page begins',
      '<head><title>t</title><div>a',
      '<head><title>t</title></head><div>a</div>',
    ],
    ['a heading ends with any heading tag', '<h1>a</h2>b', '<h1>a</h1>b'],
    ['a link ends before the next', '<a href=1>x<a href=2>y</a>', '<a href="1">x</a><a href="2">y</a>'],
    ['a drawing that never ends is left', '<svg><path><p>a', '<svg><path></path></svg><p>a</p>'],
    ['text after the body belongs to it', '<body>a</body></html>b', '<body>ab</body>'],
    ['a second body adds nothing', '<body>a<body>b', '<body>ab</body>'],
    ['the first line break of a listing is no text', '<pre>\n\na</pre>', '<pre>\na</pre>'],
    [
      'nothing in noscript reaches out of it',
      '<div><p>a<noscript></div><p>b<!-- </noscript>c</div>d',
      '<div><p>a<noscript><p>b</p></noscript>c</p></div>d',
    ],
    [
      'a noscript that is never closed ends with what it stands in',
      '<div><noscript>a</div>b',
      '<div><noscript>a</noscript></div>b',
    ],
    ['cells have a row', '<table><td>a<td>b</table>', '<table><tr><td>a</td><td>b</td></tr></table>'],
    ['a stray end of a paragraph parts words', 'a</p></p>b', 'a<p></p>b'],
    [
      'a slash behind a value without quotes is part of it',
      '<svg><a href=x/>y',
      '<svg><a href="x/">y</a></svg>',
    ],
    ['a field without an end is empty', '<textarea/>a', '<textarea></textarea>a'],
    ['an image by its old name is an image', '<image src=a>', '<img src="a">'],
  ])('%s', (_, broken, whole) => {
    expect(repaired(broken)).toBe(whole)
  })

  it('ignores comments and declarations', () => {
    expect(repaired('<!doctype html><!-- a --><?b?><p>c<!--')).toBe('<p>c</p>')
  })

  it('lets every tag of an XHTML page be self-closing', () => {
    const tree = parseHtml('<script src="a"/><a id="b"/><p>c</p>', { isXhtml: true })
    expect(written(tree)).toBe('<script src="a"></script><a id="b"></a><p>c</p>')
  })

  it('keeps the first of two attributes with the same name', () => {
    expect(repaired('<p id=a ID=b __proto__=c>')).toBe('<p id="a" __proto__="c"></p>')
  })
})

describe('limits of a tree', () => {
  it('keeps every element that is too deep', () => {
    const tree = parseHtml('<a><b><i><u>x</u></i></b></a>', { maxDepth: 2 })
    expect(written(tree)).toBe('<a><b></b><i></i><u>x</u></a>')
  })

  it('omits nodes after the limit, and reports it', () => {
    const tree = parseHtml('<p>a</p><p>b</p><p>c</p>', { maxNodes: 5 })
    expect(tree.isTruncated).toBe(true)
    expect(written(tree)).toBe('<p>a</p><p>b</p>')
  })

  it('reports nothing for a page within the limits', () => {
    const tree = parseHtml('<p>a</p>')
    expect([tree.isTruncated, tree.isFlattened]).toEqual([false, false])
  })
})

describe('traversal', () => {
  const tree = parseHtml('<ul><li><b>1</b><li><i>2</i></ul><p>3')
  const list = root + 1

  it('visits nodes in document order and stays inside the start node', () => {
    const names: string[] = []
    for (let node = list + 1; node < endOf(tree, list); node += 1) names.push(tagName(tree, node))
    expect(names).toEqual(['li', 'b', '', 'li', 'i', ''])
    expect(textOf(tree, list)).toBe('12')
  })

  it('goes from a node to its parent, children and siblings', () => {
    const item = list + 1
    const next = nextSibling(tree, item)
    expect([parentOf(tree, item), tagName(tree, next), nextSibling(tree, next)]).toEqual([list, 'li', none])
    expect([isInside(tree, next, list), isInside(tree, next, item)]).toEqual([true, false])
  })

  it('finds nothing in an empty page', () => {
    const empty = parseHtml('')
    expect([empty.count, nextSibling(empty, root), textOf(empty, root)]).toEqual([1, none, ''])
  })
})

describe('source of a page', () => {
  /** Returns the elements with their own end tag. */
  function findClosed(html: string): string[] {
    const tree = parseHtml(html)
    const names: string[] = []
    for (let node = root + 1; node < tree.count; node += 1) {
      if (hasEndTag(tree, node)) names.push(tagName(tree, node))
    }
    return names
  }

  it.each([
    ['what an element around it ends', '<main><nav><div>a</nav></main>', ['main', 'nav']],
    ['what the page ends', '<header>a<p>b</p></body>', ['p']],
    ['what the next one ends', '<p>a<p>b</p><a>c<a>d</a>', ['p', 'a']],
    ['what a script holds', '<script>"</div>"</script><div>', ['script']],
    ['a heading that is ended as another', '<h1>a</h2>', ['h1']],
    ['what stands in noscript', '<noscript><div>a</noscript>', ['noscript']],
    ['what stands in a drawing', '<svg><g><path></g></svg>', ['svg', 'g']],
    ['stray end tags', '<div></span></nav></div></div>', ['div']],
  ])('contains whether an element was closed, except for %s', (_, html, names) => {
    expect(findClosed(html)).toEqual(names)
  })

  it('contains it after the tree has grown', () => {
    expect(findClosed('<b></b>'.repeat(500))).toHaveLength(500)
  })

  it('contains the text of the attributes', () => {
    const tree = parseHtml(`<a href = '?a&amp;b'  hidden><br class=x><p>`)
    expect([1, 2, 3].map((node) => attributesSource(tree, node))).toEqual([
      ` href = '?a&amp;b'  hidden>`,
      ' class=x>',
      '',
    ])
  })
})
