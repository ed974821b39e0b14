import { describe, expect, it } from 'vitest'
import { baseUrl } from '../addresses.ts'
import { parseHtml } from '../tree/parse.ts'
import { readHeadRelations, siteLinks } from './site-links.ts'

const read = (html: string) => {
  const tree = parseHtml(html)
  return siteLinks(tree, baseUrl(tree, 'https://a.example/list/'))
}

describe('siteLinks', () => {
  it('returns absolute links without duplicates, with the most informative text', () => {
    const { links } = read(
      '<a href="x"><img src="x.png"></a><a href="/list/x">The <b>first</b>\n item</a><a href="y"></a>',
    )
    expect(links).toEqual([
      { url: 'https://a.example/list/x', text: 'The first item' },
      { url: 'https://a.example/list/y', text: '' },
    ])
  })

  it('uses the alternative text of an image if there is no other text', () => {
    expect(read('<a href="x"><img alt="A boat"></a>').links[0]?.text).toBe('A boat')
  })

  it('resolves links against the base of the page', () => {
    expect(read('<base href="/deep/er/"><a href="x">x</a>').links[0]?.url).toBe('https://a.example/deep/er/x')
  })

  it('returns only web URLs', () => {
    const html =
      '<a href="mailto:a@b.example">m</a><a href="javascript:go()">j</a><a href="#part">p</a><a>n</a><a href="http://[">b</a>'
    expect(read(html).links).toEqual([])
  })

  it('returns the next page, the canonical URL, feeds, title and description', () => {
    const html =
      '<title>A &amp; B</title><link rel="canonical" href="/list"><link rel="alternate" type="application/rss+xml" href="/feed">' +
      '<meta name="description" content="About it"><a rel="nofollow next" href="?page=2">Next</a>'
    expect(read(html)).toMatchObject({
      title: 'A & B',
      description: 'About it',
      canonical: 'https://a.example/list',
      feeds: ['https://a.example/feed'],
      next: 'https://a.example/list/?page=2',
    })
  })

  it('reads links after a frame in noscript and an unclosed raw text field', () => {
    const html = '<noscript><iframe src="a" /></noscript><a href="x">x</a><textarea /><a href="y">y</a>'
    expect(read(html).links.map(({ text }) => text)).toEqual(['x', 'y'])
  })

  it('returns a limited number of links', () => {
    const html = Array.from({ length: 12_000 }, (_, index) => `<a href="/${index}">x</a>`).join('')
    expect(read(html).links).toHaveLength(10_000)
  })

  it('reads relations only in the head, not in user content', () => {
    const html = '<link rel=canonical href="/a"><body><link rel=next href="/b"><p>text</p>'
    expect(readHeadRelations(parseHtml(html), 'https://a.example/')).toEqual({
      canonical: 'https://a.example/a',
      next: undefined,
    })
  })
})
