import { describe, expect, it } from 'vitest'
import { tag } from '../tree/names.ts'
import { parseHtml } from '../tree/parse.ts'
import { none, type Tree, textAt } from '../tree/tree.ts'
import { toMarkdown } from './to-markdown.ts'

const options = { removeBase64Images: true }

function findNodes(tree: Tree, name: number): number[] {
  const found: number[] = []
  for (let node = 1; node < tree.count; node += 1) if (tree.tags[node] === name) found.push(node)
  return found
}

function write(
  html: string,
  keep: (tree: Tree) => number[],
  skip: (tree: Tree) => number[] = () => [],
  getTitle: (tree: Tree) => number = () => none,
): string {
  const tree = parseHtml(html)
  const skipped = new Uint8Array(tree.count)
  for (const node of skip(tree)) skipped[node] = 1
  const excerpt = {
    tree,
    kept: keep(tree),
    skipped,
    title: getTitle(tree),
    readsNoscript: false,
    base: 'https://x.test/',
  }
  return toMarkdown(excerpt, options)
}

describe('toMarkdown of a part of a page', () => {
  it('writes only the part', () => {
    const html = '<nav>a</nav><article><p>b</p></article><footer>c</footer>'
    expect(write(html, (tree) => findNodes(tree, tag.article))).toBe('b')
  })

  it('omits skipped nodes with their descendants', () => {
    const html = '<div><p>a</p><aside><p>b</p></aside><p>c <b>d</b> e</p></div>'
    const skip = (tree: Tree) => [...findNodes(tree, tag.aside), ...findNodes(tree, tag.b)]
    expect(write(html, () => [0], skip)).toBe('a\n\nc e')
  })

  it('omits a skipped text node', () => {
    const skip = (tree: Tree) => findNodes(tree, 0).filter((node) => textAt(tree, node) === 'b')
    expect(write('<p>a<i>b</i>c</p><pre>d<i>b</i></pre>', () => [0], skip)).toBe('ac\n\n```\nd\n```')
  })

  it('writes adjacent inline nodes as one paragraph', () => {
    const keep = (tree: Tree) => [...findNodes(tree, tag.i), ...findNodes(tree, tag.b)]
    expect(write('<p>x</p><i>a</i><b>b</b>', keep)).toBe('*a*__b__')
  })

  it('writes a single item or cell', () => {
    const html = '<ul><li>a<ul><li>b</ul><li>c</ul><table><tr><th>d<th>e</table>'
    expect(write(html, (tree) => [findNodes(tree, tag.li)[0] ?? 0, ...findNodes(tree, tag.th)])).toBe(
      '- a\n  - b\n\nd\n\ne',
    )
  })

  it('writes a note as a link if its text is not in the part', () => {
    const html = '<p>a<sup><a href="#n">1</a></sup></p><ol><li id=n>note</ol>'
    expect(write(html, (tree) => findNodes(tree, tag.p))).toBe('a[1](https://x.test/#n)')
  })
})

describe('headings below a title that is not an h1', () => {
  const writeWithTitle = (html: string, name: number) =>
    write(
      html,
      () => [0],
      () => [],
      (tree) => findNodes(tree, name)[0] ?? none,
    )

  it('move up with it', () => {
    expect(writeWithTitle('<h2>a</h2><h3>b</h3><h4>c</h4><h3>d</h3>', tag.h2)).toBe(
      '# a\n\n## b\n\n### c\n\n## d',
    )
  })

  it('move up as far as there is a gap', () => {
    expect(writeWithTitle('<h2>a</h2><h5>b</h5><h4>c</h4>', tag.h2)).toBe('# a\n\n### b\n\n## c')
  })

  it('stay if another has the level of the title', () => {
    expect(writeWithTitle('<h2>a</h2><h3>b</h3><h2>c</h2>', tag.h2)).toBe('# a\n\n### b\n\n## c')
  })

  it('stay below an h1', () => {
    expect(writeWithTitle('<h1>a</h1><h3>b</h3>', tag.h1)).toBe('# a\n\n### b')
  })
})

describe('noscript', () => {
  const html = '<p>a</p><noscript><p>b <a href="/c">c</a></p></noscript>'
  const tree = parseHtml(html)
  const excerpt = {
    tree,
    kept: [0],
    skipped: new Uint8Array(tree.count),
    title: none,
    base: 'https://x.test/',
  }

  it('is not read by default', () => {
    expect(toMarkdown({ ...excerpt, readsNoscript: false }, options)).toBe('a')
  })

  it('is read if the text of the page is only there', () => {
    expect(toMarkdown({ ...excerpt, readsNoscript: true }, options)).toBe('a\n\nb [c](https://x.test/c)')
  })
})
