import { describe, expect, it } from 'vitest'
import { renderHtml, renderMarkdownTable } from './finish.ts'

describe('markdownHtml', () => {
  it('returns links, images and the first heading', () => {
    const { links, images, heading, html } = renderHtml(
      '## The *lamp*\n\n[a](https://a.test/) ![b](https://b.test/c.png) [c](#d)\n',
    )
    expect({ links, images, heading }).toEqual({
      links: ['https://a.test/'],
      images: ['https://b.test/c.png'],
      heading: 'The lamp',
    })
    expect(html).toContain('<h2>The <em>lamp</em></h2>')
  })

  it('renders a large table like a small one', () => {
    const cells = ['plain', 'a|b', 'x < y & z', 'two\nlines', '*not bold*', '']
    const cellsOf = (rows: number) => {
      const { html } = renderHtml(renderMarkdownTable([cells, ...Array.from({ length: rows }, () => cells)]))
      return html.match(/<td>.*?<\/td>/g)?.slice(0, cells.length)
    }
    expect(cellsOf(100)).toEqual(cellsOf(2))
    expect(cellsOf(100)?.[1]).toBe('<td>a|b</td>')
  })

  it('keeps the text around a large table', () => {
    const table = renderMarkdownTable(Array.from({ length: 100 }, (_, at) => [`row ${at}`, 'x']))
    const { html } = renderHtml(`# Before\n\n${table}\n\nAfter\n`)
    expect(html).toMatch(/<h1>Before<\/h1>[\s\S]*row 99[\s\S]*<p>After<\/p>/)
  })
})
