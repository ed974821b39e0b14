import { describe, expect, it } from 'vitest'
import { readPage } from './content.ts'
import { pageLinks, withoutFrameLinks } from './links.ts'
import { parseHtml } from './tree/parse.ts'

const page = 'https://example.test/a/b'
const links = (html: string, base = page) => pageLinks(parseHtml(html), { base, pageUrl: page })

describe('pageLinks', () => {
  it('returns absolute URLs without duplicates, in document order', () => {
    expect(links('<a href="/2">x</a><map><area href="1"></map><a href="/2">y</a>')).toEqual([
      'https://example.test/2',
      'https://example.test/a/1',
    ])
  })

  it('returns only HTTP URLs', () => {
    const html =
      '<a href="mailto:a@b.test"><a href="tel:1"><a href="javascript:x"><a href="ftp://x.test/"><a name=x>'
    expect(links(html)).toEqual([])
  })

  it('omits fragments of the same page', () => {
    expect(links(`<a href="#top"><a href="${page}#x"><a href="#">`)).toEqual([])
  })

  it('omits fragments of the same page if the page has a base element', () => {
    expect(links(`<a href="#top"><a href="${page}#x">`, 'https://example.test/')).toEqual([])
  })

  it('keeps routes of a single-page app', () => {
    expect(links('<a href="#/users"><a href="#!about">')).toEqual([`${page}#/users`, `${page}#!about`])
  })

  it('keeps fragments of other pages', () => {
    expect(links('<a href="/other#part">')).toEqual(['https://example.test/other#part'])
  })
})

const options = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function getTrackedText(html: string) {
  const url = 'https://site.example/'
  const page = { requestedUrl: url, url, status: 200, headers: { 'content-type': 'text/html' }, fetchedAt: 0 }
  const content = readPage({ ...page, bytes: Buffer.from(html) }, options)
  return withoutFrameLinks(content.markdown(), content.tree(), content.base())
}

describe('withoutFrameLinks', () => {
  it('returns the same text for any frame URL', () => {
    const frame = (src: string) => `<p>a</p><iframe title="[Ad] 1" src="${src}"></iframe><p>b</p>`
    expect(getTrackedText(frame('/f?token=(1)'))).toBe('a\n\nb')
    expect(getTrackedText(frame('//ads.example/x?y=2&z=$'))).toBe('a\n\nb')
  })

  it('keeps the links of the page', () => {
    const html = '<p><a href="/f">a</a></p><iframe src="/g"></iframe>'
    expect(getTrackedText(html)).toBe('[a](https://site.example/f)')
  })
})
