import { describe, expect, it } from 'vitest'
import { wholePage } from '../../../test/markdown/whole-page.ts'

const markdown = (html: string) => wholePage(html)
const lines = (...rows: string[]) => rows.join('\n')

describe('tables', () => {
  it('use their first row of header cells as header', () => {
    expect(markdown('<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table>')).toBe(
      lines('| A | B |', '| --- | --- |', '| 1 | 2 |'),
    )
  })

  it('use the first row of their thead as header', () => {
    expect(markdown('<table><thead><tr><td>A<td>B</thead><tr><td>1<td>2</table>')).toBe(
      lines('| A | B |', '| --- | --- |', '| 1 | 2 |'),
    )
  })

  it('without a header get an empty one', () => {
    expect(markdown('<table><tr><td>1<td>2<tr><td>3<td>4</table>')).toBe(
      lines('|  |  |', '| --- | --- |', '| 1 | 2 |', '| 3 | 4 |'),
    )
  })

  it('may have headings as column names, in an even grid of short cells', () => {
    const html = '<table><tr><td><h3>A</h3><td><h3>B</h3><tr><td>1<td>2<tr><td>3<td>4</table>'
    expect(markdown(html)).toBe(lines('|  |  |', '| --- | --- |', '| A | B |', '| 1 | 2 |', '| 3 | 4 |'))
  })

  it('escape pipes, also in code and URLs, and write breaks as tags', () => {
    const html = '<table><tr><th>A<tr><td>a|b<br>c <code>d|e</code> <a href="/x|y">z</a><p>f</p></table>'
    expect(markdown(html)).toBe(
      lines('| A |', '| --- |', '| a\\|b<br>c `d\\|e` [z](https://x.test/x\\|y)<br>f |'),
    )
  })

  it('fill the columns of a wide cell and repeat a tall one', () => {
    const html =
      '<table><tr><th>A<th>B<th>C<tr><td colspan=2>w<td>1<tr><td rowspan=2>t<td>2<td>3<tr><td>4<td>5</table>'
    expect(markdown(html)).toBe(
      lines('| A | B | C |', '| --- | --- | --- |', '| w |  | 1 |', '| t | 2 | 3 |', '| t | 4 | 5 |'),
    )
  })

  it('extend a cell with rowspan 0 to the end', () => {
    const html = '<table><tr><th>A<th>B<tr><td rowspan=0>t<td>1<tr><td>2<tr><td>3</table>'
    expect(markdown(html)).toBe(lines('| A | B |', '| --- | --- |', '| t | 1 |', '| t | 2 |', '| t | 3 |'))
  })

  it('pad shorter rows', () => {
    expect(markdown('<table><tr><th>A<th>B<th>C<tr><td>1<tr><td>2<td>3</table>')).toBe(
      lines('| A | B | C |', '| --- | --- | --- |', '| 1 |  |  |', '| 2 | 3 |  |'),
    )
  })

  it('keep empty columns and omit empty rows', () => {
    expect(markdown('<table><tr><th>A<th><th>C<tr><td><td><td><tr><td>1<td><td>3</table>')).toBe(
      lines('| A |  | C |', '| --- | --- | --- |', '| 1 |  | 3 |'),
    )
  })

  it('follow their caption', () => {
    expect(markdown('<table><caption>Cap</caption><tr><th>A<tr><td>1</table>')).toBe(
      lines('Cap', '', '| A |', '| --- |', '| 1 |'),
    )
  })

  it('write lists and listings in a cell on one line', () => {
    const html = '<table><tr><th>A<tr><td><ul><li>a<li>b</ul><pre>c\nd</pre></table>'
    expect(markdown(html)).toBe(lines('| A |', '| --- |', '| - a<br>- b<br>`c`<br>`d` |'))
  })

  it('have a bounded size with large spans', () => {
    const rows = '<tr><td colspan=1000 rowspan=1000>x</td><td>y</td></tr>'.repeat(2000)
    expect(markdown(`<table>${rows}</table>`).length).toBeLessThan(200_000)
  })

  it('have a bounded size with one wide row', () => {
    const html = `<table><tr>${'<td>x'.repeat(5000)}</tr>${'<tr><td>y<td>z'.repeat(5000)}</table>`
    expect(markdown(html).length).toBeLessThan(200_000)
  })
})

describe('layout tables', () => {
  it.each([
    ['by their role', '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>', 'a\n\nb\n\nc\n\nd'],
    [
      'around another table',
      '<table><tr><td>a<td><table><tr><th>B<tr><td>1</table></table>',
      'a\n\n| B |\n| --- |\n| 1 |',
    ],
    ['with one column', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
    ['with headings in them', '<table><tr><td><h2>A</h2><td>b<tr><td>c<td>d</table>', '## A\n\nb\n\nc\n\nd'],
  ])('are unwrapped: %s', (_, html, text) => {
    expect(markdown(html)).toBe(text)
  })

  it('keep content between their cells', () => {
    expect(markdown('<table>stray<tr><th>A<tr>lost<td>1</table>')).toBe(
      'stray\n\nlost\n\n| A |\n| --- |\n| 1 |',
    )
  })
})
