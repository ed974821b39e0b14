import { describe, expect, it } from 'vitest'
import { readPage } from './content.ts'
import { pageLinks, withoutFrameLinks } from './links.ts'
import { parseHtml } from './tree/parse.ts'

const page = 'https://example.test/a/b'
const links = (html: string, base = page) => pageLinks(parseHtml(html), { base, pageUrl: page })

describe('links of a page', () => {
  it('are absolute, each once, in document order', () => {
    expect(links('<a href="/2">x</a><map><area href="1"></map><a href="/2">y</a>')).toEqual([
      'https://example.test/2',
      'https://example.test/a/1',
    ])
  })

  it('are web addresses only', () => {
    const html =
      '<a href="mailto:a@b.test"><a href="tel:1"><a href="javascript:x"><a href="ftp://x.test/"><a name=x>'
    expect(links(html)).toEqual([])
  })

  it('leave out places on the page itself', () => {
    expect(links(`<a href="#top"><a href="${page}#x"><a href="#">`)).toEqual([])
  })

  it('leave out places on the page itself when it has a base of its own', () => {
    expect(links(`<a href="#top"><a href="${page}#x">`, 'https://example.test/')).toEqual([])
  })

  it('keep routes of a site that is one page', () => {
    expect(links('<a href="#/users"><a href="#!about">')).toEqual([`${page}#/users`, `${page}#!about`])
  })

  it('keep places on other pages', () => {
    expect(links('<a href="/other#part">')).toEqual(['https://example.test/other#part'])
  })
})

const options = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function tracked(html: string) {
  const url = 'https://site.example/'
  const page = { requestedUrl: url, url, status: 200, headers: { 'content-type': 'text/html' }, fetchedAt: 0 }
  const content = readPage({ ...page, bytes: Buffer.from(html) }, options)
  return withoutFrameLinks(content.markdown(), content.tree(), content.base())
}

describe('the text that is tracked', () => {
  it('is the same whatever a frame leads to', () => {
    const frame = (src: string) => `<p>a</p><iframe title="[Ad] 1" src="${src}"></iframe><p>b</p>`
    expect(tracked(frame('/f?token=(1)'))).toBe('a\n\nb')
    expect(tracked(frame('//ads.example/x?y=2&z=$'))).toBe('a\n\nb')
  })

  it('keeps the links of the page', () => {
    const html = '<p><a href="/f">a</a></p><iframe src="/g"></iframe>'
    expect(tracked(html)).toBe('[a](https://site.example/f)')
  })
})
