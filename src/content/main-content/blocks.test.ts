import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { isText, tagName, textAt } from '../tree/tree.ts'
import { readBlocks } from './blocks.ts'

function read(html: string, readsNoscript = false) {
  const tree = parseHtml(html)
  const blocks = readBlocks(tree, readsNoscript)
  const texts = Array.from({ length: blocks.count }, (_, block) => {
    let text = ''
    for (let node = blocks.firsts[block] ?? 0; node < (blocks.lasts[block] ?? 0); node += 1) {
      if (isText(tree, node)) text += textAt(tree, node)
    }
    return text
  })
  return { tree, blocks, texts }
}

describe('readBlocks', () => {
  it('does not split a block at inline elements', () => {
    expect(read('<p>One <b>two</b> <a href=x>three</a></p>').texts).toEqual(['One two three'])
  })

  it('starts and ends blocks at block-level elements', () => {
    const html = '<div>a<p>b</p>c<ul><li>d<li>e</ul><table><tr><td>f<td>g</table></div>'
    expect(read(html).texts).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it('ends a block at an empty line, not at a single break', () => {
    expect(read('<div>a<br>b<br><br>c</div>').texts).toEqual(['ab', 'c'])
  })

  it('ignores text that is not shown as page text', () => {
    const html =
      '<title>t</title><p>a</p><script>s</script><style>s</style><svg><text>v</text></svg><p> &nbsp; </p>'
    expect(read(html).texts).toEqual(['a'])
  })

  it('reads noscript only if requested', () => {
    const html = '<p>a</p><noscript><p>b</p></noscript>'
    expect(read(html).texts).toEqual(['a'])
    expect(read(html, true).texts).toEqual(['a', 'b'])
  })

  it('counts words, and words in links', () => {
    const { blocks } = read('<p>Read all of <a href=x>the news</a>, <a>not this</a></p><p>One</p>')
    expect([...blocks.words.subarray(0, 2)]).toEqual([7, 1])
    expect([...blocks.linkWords.subarray(0, 2)]).toEqual([2, 0])
    expect([...blocks.wordsBefore.subarray(0, 3)]).toEqual([0, 7, 8])
  })

  it('stores the innermost block-level element of a block', () => {
    const { tree, blocks } = read('<div>a<blockquote><p><b>b</b></p></blockquote>c</div>')
    const holders = [...blocks.holders.subarray(0, 3)].map((node) => tagName(tree, node))
    expect(holders).toEqual(['div', 'p', 'div'])
  })

  it('stores a range of blocks for every element', () => {
    const { tree, blocks } = read('<p>a</p><ul><li>b<li>c</ul><p>d</p>')
    const list = Array.from(tree.tags.keys()).findIndex((node) => tagName(tree, node) === 'ul')
    expect([blocks.before[list], blocks.before[tree.ends[list] ?? 0]]).toEqual([1, 3])
  })

  it('gives equal hashes to texts that differ only in white space', () => {
    const { blocks } = read('<p>Sign  up now</p><p>Sign <b>up</b>\nnow</p><p>Sign off now</p>')
    expect(blocks.hashes[0]).toBe(blocks.hashes[1])
    expect(blocks.hashes[0]).not.toBe(blocks.hashes[2])
  })
})
