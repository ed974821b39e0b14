import { describe, expect, it } from 'vitest'
import { readPage } from './content.ts'
import { withoutFrameLinks } from './diff-frames.ts'

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
