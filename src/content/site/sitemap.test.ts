import { describe, expect, it } from 'vitest'
import { createSitemapReader, type SitemapEntry } from './sitemap.ts'

function read(text: string, partLength = text.length || 1) {
  const entries: SitemapEntry[] = []
  const reader = createSitemapReader('https://a.example/sitemap.xml', (entry) => entries.push(entry))
  for (let at = 0; at < text.length; at += partLength) reader.write(text.slice(at, at + partLength))
  const kind = reader.end()
  return { kind, entries, urls: entries.map((entry) => entry.url) }
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const urlset = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset ${namespace}>${inside}</urlset>`

describe('createSitemapReader with a sitemap', () => {
  it('lists its pages', () => {
    const text = urlset(
      '<url><loc>https://a.example/1</loc><lastmod>2024-01-01</lastmod></url><url><loc> https://a.example/2 </loc></url>',
    )
    expect(read(text)).toMatchObject({ kind: 'urlset', urls: ['https://a.example/1', 'https://a.example/2'] })
  })

  it('lists other sitemaps of an index', () => {
    const text = `<sitemapindex ${namespace}><sitemap><loc>https://a.example/s1.xml.gz</loc></sitemap></sitemapindex>`
    expect(read(text)).toEqual({
      kind: 'index',
      entries: [{ kind: 'sitemap', url: 'https://a.example/s1.xml.gz' }],
      urls: ['https://a.example/s1.xml.gz'],
    })
  })

  it.each([
    ['no namespace', '<urlset><url><loc>https://a.example/1</loc></url></urlset>'],
    [
      'a wrong namespace',
      '<urlset xmlns="http://wrong.example/"><url><loc>https://a.example/1</loc></url></urlset>',
    ],
    ['prefixes', '<s:urlset xmlns:s="x"><s:url><s:loc>https://a.example/1</s:loc></s:url></s:urlset>'],
    ['capitals', '<URLSET><URL><LOC>https://a.example/1</LOC></URL></URLSET>'],
    ['CDATA', urlset('<url><loc><![CDATA[https://a.example/1]]></loc></url>')],
    ['a byte order mark', `\uFEFF${urlset('<url><loc>https://a.example/1</loc></url>')}`],
    ['blank lines in front', `\n\n  ${urlset('<url><loc>https://a.example/1</loc></url>')}`],
    ['a relative URL', urlset('<url><loc>/1</loc></url>')],
    [
      'comments and a stylesheet',
      `<?xml-stylesheet href="s.xsl"?><!-- made by hand -->${urlset('<url><!-- x --><loc>https://a.example/1</loc></url>')}`,
    ],
    ['a truncated file', '<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa'],
  ])('reads %s', (_, text) => {
    expect(read(text).urls).toEqual(['https://a.example/1'])
  })

  it('reads the same in chunks of any length', () => {
    const text = urlset(
      '<url><loc>https://a.example/1?a=1&amp;b=2</loc></url><url><loc><![CDATA[https://a.example/2]]></loc></url>',
    )
    for (let length = 1; length < 40; length += 1) {
      expect(read(text, length).urls).toEqual(['https://a.example/1?a=1&b=2', 'https://a.example/2'])
    }
  })

  it('ignores images and translations', () => {
    const text = urlset(
      '<url><loc>https://a.example/1</loc><image:image><image:loc>https://a.example/1.png</image:loc></image:image>' +
        '<xhtml:link rel="alternate" hreflang="de" href="https://a.example/de"/></url>',
    )
    expect(read(text).urls).toEqual(['https://a.example/1'])
  })

  it('returns the titles of news articles', () => {
    const text = urlset(
      '<url><loc>https://a.example/1</loc><news:news><news:title>Rain &amp; sun</news:title></news:news></url>',
    )
    expect(read(text).entries).toEqual([{ kind: 'page', url: 'https://a.example/1', title: 'Rain & sun' }])
  })

  it('reads a list of URLs', () => {
    expect(read('https://a.example/1\r\nhttps://a.example/2\n\nnonsense\n', 5)).toMatchObject({
      kind: 'text',
      urls: ['https://a.example/1', 'https://a.example/2'],
    })
  })

  it('omits entries that are not web URLs', () => {
    const text = urlset(
      '<url><loc>javascript:alert(1)</loc></url><url><loc>ftp://a.example/</loc></url><url><loc></loc></url>',
    )
    expect(read(text).urls).toEqual([])
  })

  it('does not accept a web page or prose', () => {
    expect(read('<!doctype html><html><body><a href="/x">x</a></body></html>')).toMatchObject({
      kind: 'other',
      urls: [],
    })
    expect(read('<html><item><link>https://a.example/1</link></item></html>')).toMatchObject({
      kind: 'other',
      urls: [],
    })
    expect(read('Not found.\nAsk somebody.\nhttps://a.example/\n').kind).toBe('other')
    expect(read('').kind).toBe('other')
  })
})

describe('createSitemapReader with a feed', () => {
  it('returns links, titles and descriptions of RSS', () => {
    const text =
      '<rss version="2.0"><channel><title>Feed</title><link>https://a.example/</link>' +
      '<item><title>One</title><link>https://a.example/1</link><description>&lt;p&gt;First &lt;b&gt;post&lt;/b&gt;&lt;/p&gt;</description><guid isPermaLink="false">17</guid></item>' +
      '<item><guid>https://a.example/2</guid></item></channel></rss>'
    expect(read(text)).toMatchObject({
      kind: 'rss',
      entries: [
        { url: 'https://a.example/1', title: 'One', description: 'First post' },
        { url: 'https://a.example/2' },
      ],
    })
  })

  it('returns URLs from attributes of Atom', () => {
    const text =
      '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/><entry><link rel="self" href="https://a.example/e.xml"/>' +
      '<link href="https://a.example/1"/><title>One</title></entry></feed>'
    expect(read(text)).toMatchObject({
      kind: 'atom',
      entries: [{ url: 'https://a.example/1', title: 'One' }],
    })
  })
})
