import { describe, expect, it } from 'vitest'
import { inlineText } from './inline-text.ts'
import { textBlocks } from './markdown-blocks.ts'

const toLabelledTexts = (markdown: string) => textBlocks(markdown).map(({ kind, text }) => `${kind}: ${text}`)

describe('the text of a line', () => {
  it.each([
    ['**Bold**_it_ and ~~gone~~', 'Boldit and gone'],
    ['snake_case 2\\*3 a * b 2*3', 'snake_case 2*3 a * b 2*3'],
    ['see [a link](https://x.test/a_(b) "t").', 'see a link.'],
    ['![A boat](boat.png) ahead [![x](y)](z)', ' ahead '],
    ['as [1] and [[2]](#c) say', 'as [1] and [2] say'],
    ['a note[^1] here', 'a note here'],
    ['``code`x`` and `a|b`', 'code`x and a|b'],
    ['\\<b> \\&amp; <https://x.test/> 1 < 2', '<b> &amp; https://x.test/ 1 < 2'],
    ['one<br>two', 'one two'],
  ])('is extracted from %j', (markdown, text) => {
    expect(inlineText(markdown)).toBe(text)
  })
})

describe('textBlocks', () => {
  it('returns paragraphs, items, quotes and headings', () => {
    const markdown =
      '# Title\n\nOne\nline.  \nBroken.\n\n- item\n  - nested\n\n3. three\n\n> Quote\n\n> [!NOTE]\n> Noted.\n\n---\n\n[^1]: A note.'
    expect(toLabelledTexts(markdown)).toEqual([
      ...['heading: Title', 'paragraph: One line.\nBroken.', 'item: item', 'item: nested', 'item: three'],
      ...['paragraph: Quote', 'paragraph: Noted.', 'paragraph: A note.'],
    ])
  })

  it('returns rows with the names of their columns', () => {
    expect(
      toLabelledTexts('| Name | Price |\n| --- | ---: |\n| Mug \\| x | $12<br>net |\n| Cup |  |'),
    ).toEqual([...['row: Mug | x; Price: $12 net', 'row: Cup']])
    expect(toLabelledTexts('|  |  |\n| --- | --- |\n| Kind | Round |')).toEqual(['row: Kind; Round'])
  })

  it('returns definitions with their terms', () => {
    expect(toLabelledTexts('Term\n: One. Two.\n: Three.')).toEqual([
      'row: Term: One. Two.',
      'row: Term: Three.',
    ])
  })

  it('omits code and formulas', () => {
    expect(
      toLabelledTexts('```js\n# not a heading\nlet a\n```\n\n- ~~~\n  x\n  ~~~\n\n$$\na\n$$\n\nEnd'),
    ).toEqual(['paragraph: End'])
  })

  it('returns the headings above each block', () => {
    const blocks = textBlocks('# A\n\n## B\n\none\n\n## C\n\ntwo\n\n# D\n\nthree')
    const paths = blocks.filter(({ kind }) => kind === 'paragraph').map(({ path }) => path)
    expect(paths).toEqual([['A', 'B'], ['A', 'C'], ['D']])
  })
})
