import { describe, expect, it } from 'vitest'
import { pageMetadata } from './metadata.ts'
import { parseHtml } from './tree/parse.ts'

const read = (html: string) => pageMetadata(parseHtml(html), 'https://example.test/a/')
const metadata = (html: string) => read(html).metadata

describe('pageMetadata', () => {
  it('returns title, language and description with collapsed white space', () => {
    const html =
      '<html lang=" en-GB "><title>\n A &amp;\n B </title><meta name=Description content=" c\n d ">'
    expect(metadata(html)).toEqual({ title: 'A & B', language: 'en-GB', description: 'c d' })
  })

  it('returns Open Graph values by their keys, with absolute URLs', () => {
    const html = `
      <meta property="og:title" content="T"><meta property="og:description" content="D">
      <meta property="og:url" content="/u"><meta property="og:image" content="i.png">
      <meta property="og:audio" content="a.mp3"><meta property="og:video" content="v.mp4">
      <meta property="og:determiner" content="the"><meta property="og:locale" content="en_GB">
      <meta property="og:locale:alternate" content="fr_FR"><meta property="og:locale:alternate" content="de_DE">
      <meta property="og:site_name" content="S">`
    expect(metadata(html)).toMatchObject({
      ogTitle: 'T',
      ogDescription: 'D',
      ogUrl: 'https://example.test/u',
      ogImage: 'https://example.test/a/i.png',
      ogAudio: 'https://example.test/a/a.mp3',
      ogVideo: 'https://example.test/a/v.mp4',
      ogDeterminer: 'the',
      ogLocale: 'en_GB',
      ogLocaleAlternate: ['fr_FR', 'de_DE'],
      ogSiteName: 'S',
    })
  })

  it('returns Dublin Core and article values', () => {
    const html = `
      <meta name="dcterms.created" content="1"><meta name="DC.Date.Created" content="2"><meta name="dc.date" content="3">
      <meta name="dcterms.type" content="4"><meta name="dc.type" content="5"><meta name="dcterms.audience" content="6">
      <meta name="dcterms.subject" content="7"><meta name="dc.subject" content="8">
      <meta name="dc.description" content="9"><meta name="dcterms.keywords" content="10">
      <meta property="article:modified_time" content="11"><meta property="article:published_time" content="12">
      <meta property="article:tag" content="x"><meta property="article:tag" content="y">
      <meta property="article:section" content="13">`
    expect(metadata(html)).toEqual({
      dcTermsCreated: '1',
      dcDateCreated: '2',
      dcDate: '3',
      dcTermsType: '4',
      dcType: '5',
      dcTermsAudience: '6',
      dcTermsSubject: '7',
      dcSubject: '8',
      dcDescription: '9',
      dcTermsKeywords: '10',
      modifiedTime: '11',
      publishedTime: '12',
      articleTag: 'x, y',
      articleSection: '13',
    })
  })

  it('returns any other meta tag by its own name', () => {
    const html =
      '<meta name="viewport" content="w"><meta property="fb:app_id" content="1"><meta name="Author" content="A">'
    expect(metadata(html)).toEqual({ viewport: 'w', 'fb:app_id': '1', Author: 'A' })
  })

  it('joins values of repeated meta tags without duplicates', () => {
    const html =
      '<meta name=keywords content="a, b"><meta name=keywords content=c><meta name=keywords content=c>'
    expect(metadata(html).keywords).toBe('a, b, c')
    expect(metadata('<meta name=author content=x><meta name=author content=y>').author).toBe('x, y')
  })

  it('returns the first icon that a page links to', () => {
    const html = '<link rel="apple-touch-icon" href="t.png"><link rel="shortcut icon" href="/f.ico">'
    expect(metadata(html).favicon).toBe('https://example.test/f.ico')
  })

  it('falls back to Open Graph for title and description', () => {
    const html = '<meta property="og:title" content="T"><meta property="og:description" content="D">'
    expect(metadata(html)).toMatchObject({ title: 'T', description: 'D' })
  })

  it('does not use the title of an SVG as the page title', () => {
    expect(metadata('<svg><title>icon</title></svg><title>page</title>').title).toBe('page')
  })

  it('has no keys without a value', () => {
    expect(
      metadata('<title></title><meta name=description content=""><meta name="" content=x><meta content=y>'),
    ).toEqual({})
  })
})

describe('pageMetadata with hostile metadata', () => {
  it('does not change any prototype', () => {
    const hostile = metadata('<meta name="__proto__" content="x"><meta name="constructor" content="y">')
    expect(Object.keys(hostile)).toEqual([])
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype)
  })

  it.each(['sourceURL', 'statusCode', 'error', 'scrapeId', 'creditsUsed', 'concurrencyLimited'])(
    'does not set the response field %s',
    (key) => {
      expect(metadata(`<meta name="${key}" content="forged">`)).toEqual({})
    },
  )

  it('does not replace values from other elements', () => {
    const html = '<title>real</title><meta name=title content=forged><meta name=ogTitle content=forged>'
    expect(metadata(html)).toEqual({ title: 'real' })
  })

  it('is cut if there is too much of it, and reports the cut', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `<meta name="k${index}" content="v">`).join('')
    const { metadata, isTruncated } = read(many)
    expect([Object.keys(metadata).length, isTruncated]).toEqual([300, true])
    expect(read(`<title>${'x'.repeat(20_000)}</title>`)).toEqual({
      metadata: { title: 'x'.repeat(10_000) },
      isTruncated: true,
    })
  })
})
