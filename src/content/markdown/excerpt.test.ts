import { describe, expect, it } from 'vitest'
import { tag } from '../tree/names.ts'
import { parseHtml } from '../tree/parse.ts'
import { none, type Tree, textAt } from '../tree/tree.ts'
import { toMarkdown } from './to-markdown.ts'

const options = { removeBase64Images: true }

function nodesOf(tree: Tree, name: number): number[] {
  const found: number[] = []
  for (let node = 1; node < tree.count; node += 1) if (tree.tags[node] === name) found.push(node)
  return found
}

function written(
  html: string,
  keep: (tree: Tree) => number[],
  skip: (tree: Tree) => number[] = () => [],
  titleOf: (tree: Tree) => number = () => none,
): string {
  const tree = parseHtml(html)
  const skipped = new Uint8Array(tree.count)
  for (const node of skip(tree)) skipped[node] = 1
  const excerpt = {
    tree,
    kept: keep(tree),
    skipped,
    title: titleOf(tree),
    readsNoscript: false,
    base: 'https://x.test/',
  }
  return toMarkdown(excerpt, options)
}

describe('a part of a page', () => {
  it('is written without the rest', () => {
    const html = '<nav>a</nav><article><p>b</p></article><footer>c</footer>'
    expect(written(html, (tree) => nodesOf(tree, tag.article))).toBe('b')
  })

  it('leaves out what is to be skipped, with all below it', () => {
    const html = '<div><p>a</p><aside><p>b</p></aside><p>c <b>d</b> e</p></div>'
    const skip = (tree: Tree) => [...nodesOf(tree, tag.aside), ...nodesOf(tree, tag.b)]
    expect(written(html, () => [0], skip)).toBe('a\n\nc e')
  })

  it('leaves out a text alone', () => {
    const skip = (tree: Tree) => nodesOf(tree, 0).filter((node) => textAt(tree, node) === 'b')
    expect(written('<p>a<i>b</i>c</p><pre>d<i>b</i></pre>', () => [0], skip)).toBe('ac\n\n```\nd\n```')
  })

  it('made of neighbours is one paragraph if they are', () => {
    const keep = (tree: Tree) => [...nodesOf(tree, tag.i), ...nodesOf(tree, tag.b)]
    expect(written('<p>x</p><i>a</i><b>b</b>', keep)).toBe('*a*__b__')
  })

  it('may be an item or a cell alone', () => {
    const html = '<ul><li>a<ul><li>b</ul><li>c</ul><table><tr><th>d<th>e</table>'
    expect(written(html, (tree) => [nodesOf(tree, tag.li)[0] ?? 0, ...nodesOf(tree, tag.th)])).toBe(
      '- a\n  - b\n\nd\n\ne',
    )
  })

  it('keeps a note as a link when its text is not part of it', () => {
    const html = '<p>a<sup><a href="#n">1</a></sup></p><ol><li id=n>note</ol>'
    expect(written(html, (tree) => nodesOf(tree, tag.p))).toBe('a[1](https://x.test/#n)')
  })
})

describe('headings below a title that was no h1', () => {
  const titled = (html: string, name: number) =>
    written(
      html,
      () => [0],
      () => [],
      (tree) => nodesOf(tree, name)[0] ?? none,
    )

  it('follow it up', () => {
    expect(titled('<h2>a</h2><h3>b</h3><h4>c</h4><h3>d</h3>', tag.h2)).toBe('# a\n\n## b\n\n### c\n\n## d')
  })

  it('follow it as far as there is a hole', () => {
    expect(titled('<h2>a</h2><h5>b</h5><h4>c</h4>', tag.h2)).toBe('# a\n\n### b\n\n## c')
  })

  it('stay if another is as high as the title was', () => {
    expect(titled('<h2>a</h2><h3>b</h3><h2>c</h2>', tag.h2)).toBe('# a\n\n### b\n\n## c')
  })

  it('stay below an h1', () => {
    expect(titled('<h1>a</h1><h3>b</h3>', tag.h1)).toBe('# a\n\n### b')
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

  it('is not read', () => {
    expect(toMarkdown({ ...excerpt, readsNoscript: false }, options)).toBe('a')
  })

  it('is read where the page says its text there', () => {
    expect(toMarkdown({ ...excerpt, readsNoscript: true }, options)).toBe('a\n\nb [c](https://x.test/c)')
  })
})
