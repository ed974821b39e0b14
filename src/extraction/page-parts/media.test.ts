import { describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import { audioCandidates, isMedia, seemsMp3 } from './media.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

function pageOf(text: string, contentType: string) {
  const url = 'https://site.example/a/page'
  const headers = { 'content-type': contentType }
  return { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(text), fetchedAt: 0 }
}

function foundUrls(text: string, contentType = 'text/html') {
  return audioCandidates(readPage(pageOf(text, contentType), options)).map(({ url }) =>
    url.replace('https://site.example', ''),
  )
}

const linkedData = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script><p>text</p>`

describe('audio of a page', () => {
  it.each([
    ['an audio element', '<audio src="b.ogg"></audio>', ['/a/b.ogg']],
    [
      'sources, the one that needs no conversion first',
      '<audio><source src="/b.ogg" type="audio/ogg"><source src="/b.mp3"></audio>',
      ['/b.mp3', '/b.ogg'],
    ],
    ['Open Graph', '<meta property="og:audio" content="/b"><p>x', ['/b']],
    [
      'a video of Open Graph that is sound',
      '<meta property="og:video" content="/b"><meta property="og:video:type" content="audio/mpeg"><p>x',
      ['/b'],
    ],
    [
      'no video of Open Graph that is a film',
      '<meta property="og:video" content="/b.mp4"><meta property="og:video:type" content="video/mp4"><p>x',
      [],
    ],
    [
      'links to sound',
      '<a href="/b.mp3?x=1">b</a><a href="/b.flac">b</a><a href="/mp3">b</a>',
      ['/b.mp3?x=1', '/b.flac'],
    ],
    ['an audio object', linkedData({ '@type': 'AudioObject', contentUrl: '/b' }), ['/b']],
    [
      'the media of an episode',
      linkedData({
        '@graph': [
          { '@type': 'ImageObject', contentUrl: '/i.png' },
          { '@type': ['PodcastEpisode'], associatedMedia: [{ '@type': 'MediaObject', contentUrl: '/b' }] },
        ],
      }),
      ['/b'],
    ],
    ['nothing in broken linked data', '<script type="application/ld+json">{"@type":</script><p>x', []],
    [
      'no address that is not of the web',
      '<audio src="data:audio/mpeg;base64,AAAA"></audio><audio src="blob:x">',
      [],
    ],
    ['no source of a picture', '<picture><source src="/b.mp3"></picture><p>x', []],
  ])('finds %s', (_, html, urls) => {
    expect(foundUrls(html)).toEqual(urls)
  })

  it('orders declared, played, linked and video files, each once', () => {
    const html = `<video src="/film.mp4"></video><a href="/linked.mp3">l</a><audio src="/played.ogg"></audio>
      <a href="/played.ogg">p</a><meta property="og:audio" content="/declared.mp3">`
    expect(foundUrls(html)).toEqual(['/declared.mp3', '/played.ogg', '/linked.mp3', '/film.mp4'])
  })

  it('limits the candidates of a page with 1000 links', () => {
    const links = Array.from({ length: 1000 }, (_, index) => `<a href="/${index}.mp3">x</a>`).join('')
    expect(foundUrls(links)).toHaveLength(50)
  })
})

describe('audio of a feed', () => {
  it('returns the enclosures of RSS in order', () => {
    const feed = `<?xml version="1.0"?><!-- made --><rss version="2.0"><channel><link>https://x</link>
      <item><title><![CDATA[<enclosure url="/no">]]></title><enclosure url="/1.mp3?a=1&amp;b=2" type="audio/mpeg"/></item>
      <item><enclosure url="/film.mp4" type="video/mp4"/></item>
      <item><enclosure url="/2" type="audio/x-m4a"/></item></channel></rss>`
    expect(foundUrls(feed, 'application/rss+xml')).toEqual(['/1.mp3?a=1&b=2', '/2', '/film.mp4'])
  })

  it('returns the enclosure links of Atom', () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/page"/>
      <link rel="enclosure" type="audio/mpeg" href="/1.mp3"/></entry></feed>`
    expect(foundUrls(feed, 'application/atom+xml')).toEqual(['/1.mp3'])
  })

  it('returns nothing for other texts', () => {
    expect(foundUrls('<note><enclosure url="/1.mp3"/></note>', 'application/xml')).toEqual([])
    expect(foundUrls(`${'<!-- -->'.repeat(500)}x<rss>`, 'application/xml')).toEqual([])
  })
})

describe('page that is an audio file', () => {
  it.each([
    ['audio/mpeg', 'https://site.example/a', true],
    ['video/mp4; codecs=x', 'https://site.example/a', true],
    ['application/octet-stream', 'https://site.example/a.MP3?x', true],
    ['application/octet-stream', 'https://site.example/a.zip', false],
    ['text/html', 'https://site.example/a.mp3', false],
  ])('is recognized by its type, or by its name: %s at %s', (contentType, url, expected) => {
    expect(isMedia({ ...pageOf('', contentType), url })).toBe(expected)
  })

  it('is recognized as MP3 by its type or name', () => {
    expect(seemsMp3({ url: 'https://site.example/a', mediaType: 'audio/mpeg' })).toBe(true)
    expect(seemsMp3({ url: 'https://site.example/a.mp3?b=c', mediaType: '' })).toBe(true)
    expect(seemsMp3({ url: 'https://site.example/a.ogg?b=.mp3', mediaType: '' })).toBe(false)
  })
})
