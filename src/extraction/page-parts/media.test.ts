import { describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import { audioCandidates, isMedia, seemsMp3 } from './media.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

function pageOf(text: string, contentType: string) {
  const url = 'https://site.example/a/page'
  const headers = { 'content-type': contentType }
  return { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(text), fetchedAt: 0 }
}

function found(text: string, contentType = 'text/html') {
  return audioCandidates(readPage(pageOf(text, contentType), options)).map(({ url }) =>
    url.replace('https://site.example', ''),
  )
}

const linkedData = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script><p>text</p>`

describe('recordings on a page', () => {
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
    expect(found(html)).toEqual(urls)
  })

  it('puts the declared before the played, the linked and films, and names each once', () => {
    const html = `<video src="/film.mp4"></video><a href="/linked.mp3">l</a><audio src="/played.ogg"></audio>
      <a href="/played.ogg">p</a><meta property="og:audio" content="/declared.mp3">`
    expect(found(html)).toEqual(['/declared.mp3', '/played.ogg', '/linked.mp3', '/film.mp4'])
  })

  it('does not turn a page of links into an endless list', () => {
    const links = Array.from({ length: 1000 }, (_, index) => `<a href="/${index}.mp3">x</a>`).join('')
    expect(found(links)).toHaveLength(50)
  })
})

describe('recordings in a feed', () => {
  it('are the enclosures of RSS, in their order', () => {
    const feed = `<?xml version="1.0"?><!-- made --><rss version="2.0"><channel><link>https://x</link>
      <item><title><![CDATA[<enclosure url="/no">]]></title><enclosure url="/1.mp3?a=1&amp;b=2" type="audio/mpeg"/></item>
      <item><enclosure url="/film.mp4" type="video/mp4"/></item>
      <item><enclosure url="/2" type="audio/x-m4a"/></item></channel></rss>`
    expect(found(feed, 'application/rss+xml')).toEqual(['/1.mp3?a=1&b=2', '/2', '/film.mp4'])
  })

  it('are the links of Atom that enclose', () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/page"/>
      <link rel="enclosure" type="audio/mpeg" href="/1.mp3"/></entry></feed>`
    expect(found(feed, 'application/atom+xml')).toEqual(['/1.mp3'])
  })

  it('are not looked for in other texts', () => {
    expect(found('<note><enclosure url="/1.mp3"/></note>', 'application/xml')).toEqual([])
    expect(found(`${'<!-- -->'.repeat(500)}x<rss>`, 'application/xml')).toEqual([])
  })
})

describe('a page that is a recording', () => {
  it.each([
    ['audio/mpeg', 'https://site.example/a', true],
    ['video/mp4; codecs=x', 'https://site.example/a', true],
    ['application/octet-stream', 'https://site.example/a.MP3?x', true],
    ['application/octet-stream', 'https://site.example/a.zip', false],
    ['text/html', 'https://site.example/a.mp3', false],
  ])('is recognised by its type, or by its name: %s at %s', (contentType, url, expected) => {
    expect(isMedia({ ...pageOf('', contentType), url })).toBe(expected)
  })

  it('seems to be MP3 by its type or its name', () => {
    expect(seemsMp3({ url: 'https://site.example/a', mediaType: 'audio/mpeg' })).toBe(true)
    expect(seemsMp3({ url: 'https://site.example/a.mp3?b=c', mediaType: '' })).toBe(true)
    expect(seemsMp3({ url: 'https://site.example/a.ogg?b=.mp3', mediaType: '' })).toBe(false)
  })
})
