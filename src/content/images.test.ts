import { describe, expect, it } from 'vitest'
import { pageImages } from './content.ts'
import { parseHtml } from './tree/parse.ts'

const images = (html: string) => pageImages(parseHtml(html), 'https://example.test/a/')

describe('pageImages', () => {
  it('returns images of all elements with an image URL, absolute and once', () => {
    const html = `
      <meta property="og:image" content="/og.png"><meta name="twitter:image" content="tw.png">
      <link rel="icon" href="/favicon.ico">
      <img src="i.png"><img src="./i.png"><img srcset="s.png 1x, l.png 2x">
      <picture><source srcset="p.webp"><img src="p.png"></picture>
      <video poster="/v.jpg"><source src="v.mp4"></video><input type="image" src="b.gif">`
    expect(images(html)).toEqual([
      'https://example.test/og.png',
      'https://example.test/a/tw.png',
      'https://example.test/a/i.png',
      'https://example.test/a/l.png',
      'https://example.test/a/p.webp',
      'https://example.test/a/p.png',
      'https://example.test/v.jpg',
      'https://example.test/a/b.gif',
    ])
  })

  it('omits data URLs, script URLs and invalid URLs', () => {
    expect(
      images('<img src="data:image/png;base64,AA"><img src="javascript:x"><img src="http://["><img>'),
    ).toEqual([])
  })
})
