import { describe, expect, it } from 'vitest'
import { readPage } from './content.ts'

function anchorsOf(html: string): [string, string][] {
  const url = 'https://site.example/page'
  const page = { requestedUrl: url, url, status: 200, headers: { 'content-type': 'text/html' }, fetchedAt: 0 }
  const options = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
  const content = readPage({ ...page, bytes: Buffer.from(html) }, options)
  const markdown = content.markdown()
  return content.anchors().map(({ at, id }) => [id, markdown.slice(at).split('\n')[0] ?? ''])
}

describe('the names of headings', () => {
  it.each([
    ['of the heading', '<h2 id="a">One</h2>'],
    ['of something in it', '<h2><span id="a">One</span></h2>'],
    ['of a link in it', '<h2><a name="a"></a>One</h2>'],
    ['of the section that it begins', '<section id="a"><header><h2>One</h2></header><p>Text</p></section>'],
    ['of an empty link before it', '<a name="a"> </a>\n<h2>One</h2>'],
  ])('are those %s', (_, html) => {
    expect(anchorsOf(`<p>Before</p>${html}<p>Text</p>`)).toEqual([['a', '## One']])
  })

  it('are none where the page has none', () => {
    expect(anchorsOf('<div id="a"><p>Text</p><h2>One</h2></div><a href="/x">x</a><h3>Two</h3>')).toEqual([])
  })

  it('point at headings in items and behind rules that were left out', () => {
    const html =
      '<hr><h1 id="a">One</h1><p>Text</p><ul><li><h3 id="b">Two</h3></li></ul><blockquote><h4 id="c">Three</h4></blockquote>'
    expect(anchorsOf(html)).toEqual([
      ['a', '# One'],
      ['b', '### Two'],
      ['c', '#### Three'],
    ])
  })
})
