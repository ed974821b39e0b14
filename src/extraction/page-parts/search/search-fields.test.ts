import { describe, expect, it } from 'vitest'
import { readPage } from '../../../content/content.ts'
import { headingsIn, plainText, readDate, searchFields } from './search-fields.ts'

const url = 'https://example.test/guide/tides.html'

function fieldsOf(html: string) {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return searchFields(readPage(page, options), url)
}

describe('search fields of a page', () => {
  const html = `<html lang="en-GB"><head><title>Tides</title><meta name="description" content="When to sail">
    <meta property="article:published_time" content="2024-03-01T08:00:00Z"></head><body><main><h1>Tides</h1>
    <p>The tide turns at noon, as <a href="/moon">the moon</a> pulls.</p><h2>Moorings</h2><p>They fall dry for two hours.</p>
    <img src="boat.jpg" alt="A boat at anchor" width="800" height="600"><img src="dot.gif" width="1" height="1">
    <img src="/img/harbour-at-noon.png"></main></body></html>`

  it('contain its texts', () => {
    const { title, headings, text, description, language } = fieldsOf(html)
    expect({ title, headings, description, language }).toEqual({
      ...{ title: 'Tides', headings: 'Tides\nMoorings', description: 'When to sail', language: 'en-GB' },
    })
    expect(text).toContain('The tide turns at noon, as the moon pulls.')
  })

  it('contain its images and links', () => {
    const { pictures, links } = fieldsOf(html)
    expect(pictures).toEqual([
      { url: 'https://example.test/guide/boat.jpg', text: 'A boat at anchor', width: 800, height: 600 },
      {
        url: 'https://example.test/img/harbour-at-noon.png',
        text: 'harbour at noon',
        width: undefined,
        height: undefined,
      },
    ])
    expect(links).toEqual(['https://example.test/moon'])
  })

  it.each([
    ['<meta property="article:published_time" content="2024-03-01T08:00:00Z">', '2024-03-01T08:00:00.000Z'],
    [
      '<script type="application/ld+json">{"@type":"Article","datePublished":"2023-05-06"}</script>',
      '2023-05-06T00:00:00.000Z',
    ],
    ['<meta name="date" content="2022-1-2">', '2022-01-02T00:00:00.000Z'],
    ['<time datetime="2021-07-08T09:00:00+02:00">yesterday</time>', '2021-07-08T07:00:00.000Z'],
    [
      '<time datetime="2020-01-01"></time><time itemprop="datePublished" datetime="2021-01-01"></time>',
      '2021-01-01T00:00:00.000Z',
    ],
  ])('contain its date: %s', (markup, date) => {
    expect(new Date(fieldsOf(`<body>${markup}<p>Text of a page.</p>`).publishedAt ?? 0).toISOString()).toBe(
      date,
    )
  })

  it('contain whether it is news', () => {
    const article = '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
    const open = '<meta property="og:type" content="article"><meta name="date" content="2024-01-02">'
    expect(fieldsOf(`${article}<p>Text.</p>`).isNews).toBe(true)
    expect(fieldsOf(`${open}<p>Text.</p>`).isNews).toBe(true)
    expect(fieldsOf('<p>Text.</p>').isNews).toBe(false)
  })
})

describe('date', () => {
  it.each(['', 'soon', '12', '0001-01-01', '9999-01-01', '2024-13-45', '<b>', 'Version 2024'])(
    'is undefined for %j',
    (text) => {
      expect(readDate(text)).toBeUndefined()
    },
  )

  it.each([
    ['2024', '2024-01-01'],
    ['2024-05', '2024-05-01'],
    ['2024/5/6', '2024-05-06'],
    ['6 May 2024', '2024-05-06'],
    ['Mon, 06 May 2024 10:00:00 GMT', '2024-05-06'],
    ['2024-05-06 10:00:00Z', '2024-05-06'],
  ])('is parsed from %j', (text, day) => {
    expect(new Date(readDate(text) ?? 0).toISOString().slice(0, 10)).toBe(day)
  })
})

describe('plain text of Markdown', () => {
  it.each([
    [
      '# A *title*\n\nSome **bold** text with [a link](https://x.test/a_(b) "t").',
      'A title\nSome bold text with a link .',
    ],
    ['| a | b |\n| --- | --- |\n| 1 | 2 |', 'a b \n 1 2'],
    ['- one\n- two\n\n> quoted\n\n1. first', 'one\ntwo\nquoted\nfirst'],
    ['```js\nconst a = 1\n```', 'const a = 1'],
    ['![A boat](boat.png) ahead', 'A boat ahead'],
    ['a\\_b', 'a_b'],
  ])('of %j', (markdown, text) => {
    expect(plainText(markdown).replace(/[ \t]+/g, ' ')).toBe(text)
  })

  it('contains the headings', () => {
    expect(headingsIn('# One\n\ntext\n\n## *Two* `x`\n#not')).toBe('One\nTwo x')
  })

  it('is computed in linear time', () => {
    for (const part of ['[', '](', '](<', '*', '|', '# ', '](a(', '`a', '\\', '- ', '\n'])
      expect(plainText(part.repeat(100_000)).length).toBeLessThanOrEqual(part.length * 100_000)
  })
})
