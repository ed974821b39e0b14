import { describe, expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'

function read(markdown: string): string[] {
  const { starts, ends, isWhole, headings } = blocksOf(markdown)
  return starts.map((start, block) => {
    const heading = headings.get(block)
    const kind = heading ? `h${heading.level} ${heading.title}` : isWhole[block] === 1 ? 'whole' : 'text'
    return `${kind}: ${markdown.slice(start, ends[block])}`
  })
}

describe('the blocks of Markdown', () => {
  it('are paragraphs, headings and what is never cut', () => {
    expect(
      read(
        '# A *b* [c](d)\n\nText\non two lines.\n\n---\n\n| a |\n| - |\n| b |\n\n```js\n# no\n\n- no\n```\n\nEnd',
      ),
    ).toEqual([
      'h1 A b c: # A *b* [c](d)',
      'text: Text\non two lines.',
      'whole: ---',
      'whole: | a |\n| - |\n| b |',
      'whole: ```js\n# no\n\n- no\n```',
      'text: End',
    ])
  })

  it('keep an item with all that is indented below it', () => {
    expect(
      read('- a\n  - b\n\n  more\n\n  ```\n\n  x\n  ```\n- c\nlazy\n\n1. d\n2) e\n\n[^1]: note\n\n    more'),
    ).toEqual([
      'whole: - a\n  - b\n\n  more\n\n  ```\n\n  x\n  ```',
      'whole: - c\nlazy',
      'whole: 1. d',
      'whole: 2) e',
      'whole: [^1]: note\n\n    more',
    ])
  })

  it('are read inside quotes too, where headings begin nothing', () => {
    expect(read('> # a\n>\n> text\n> ```\n>\n> x\n> ```\n> > deep\n\nout')).toEqual([
      'whole: > # a',
      'text: > text',
      'whole: > ```\n>\n> x\n> ```',
      'text: > > deep',
      'text: out',
    ])
  })

  it('are fences of any length, up to the end if one is never closed', () => {
    expect(read('````\n```\n````\n\n~~~\n```\n\nx')).toEqual([
      'whole: ````\n```\n````',
      'whole: ~~~\n```\n\nx',
    ])
  })

  it('are formulas, and tables and headings as other writers write them', () => {
    expect(read('$$\na\n$$\n\na | b\n--|--\nc | d\n\nTitle\n=====\nOther `x`\n---\ntext $$')).toEqual([
      'whole: $$\na\n$$',
      'whole: a | b\n--|--\nc | d',
      'h1 Title: Title\n=====',
      'h2 Other x: Other `x`\n---',
      'text: text $$',
    ])
  })

  it('take a heading of the length of a text for a text', () => {
    expect(blocksOf(`# ${'word '.repeat(200)}`).headings.size).toBe(0)
  })

  it('are terms and definitions, with listings below them whole', () => {
    expect(read('term\n: definition\n\n  more\n\n  ```\n  a\n\n  b\n  ```\n\n- inner\n  more')).toEqual([
      'text: term\n: definition',
      'text:   more',
      'whole:   ```\n  a\n\n  b\n  ```',
      'whole: - inner\n  more',
    ])
  })
})
