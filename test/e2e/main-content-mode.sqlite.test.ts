import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrape } from '../api.ts'
import { post } from '../documents/post.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** A DocBook page: navigation at both ends, a table of contents, and a reference with short entries. */
const reference = `<html><head><title>Reading gauges</title><meta name="generator" content="DocBook XSL Stylesheets"></head><body>
  <div class="navheader"><a accesskey="p" href="a.html" rel="prev">Prev</a> <a accesskey="n" href="c.html" rel="next">Next</a></div>
  <div class="chapter"><h1 class="title">Reading gauges</h1>
  <div class="toc"><p><b>Table of Contents</b></p><dl class="toc"><dt><a href="#values">Values of a gauge</a></dt>
    <dt><a href="#errors">Errors of the line</a></dt></dl></div>
  <p>A gauge measures how high the water stands above chart datum and sends what it has measured over a serial line.</p>
  <div class="section" id="values"><h2>Values of a gauge</h2>
  <table><tr><th>Value</th><th>Unit</th></tr><tr><td>height</td><td>m</td></tr><tr><td>age</td><td></td></tr></table>
  <dl><dt>level</dt><dd>The last height.</dd><dt>since</dt><dd>Seconds to look back.</dd></dl>
  <pre class="programlisting">read(since=60)</pre></div>
  <div class="section" id="errors"><h2>Errors of the line</h2><p>When the line is dead for longer than a minute, the gauge is
  silent and every further reading fails until somebody has looked after the cable.</p></div></div>
  <div class="navfooter"><a accesskey="p" href="a.html" rel="prev">Prev</a> <a href="index.html" rel="home">Home</a></div></body></html>`

const sentence = (town: number) =>
  `The harbour of town ${town} was closed for three days after the storm, and the boats of its fishermen could not leave the quay.`
const article = `<html><head><title>Storm closes harbours</title></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><main><article>
  <h1>Storm closes harbours</h1>${[1, 2, 3, 4, 5].map((town) => `<p>${sentence(town)}</p>`).join('')}
  <div class="share-buttons"><a href="/share">Share this story</a></div></article></main>
  <footer><p>Copyright Harbour Herald</p></footer></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/reference.html': (exchange) => sendHtml(exchange, reference),
      '/article': (exchange) => sendHtml(exchange, article),
    },
  })
})
afterAll(() => site.stop())

const markdownOf = async (path: string, options: object = {}) => {
  const { body } = await scrape({ url: `${site.url}${path}`, maxAge: 0, ...options })
  return body.data.markdown as string
}

describe('the main content of a page', () => {
  it('is the full container of a reference page, without navigation', async () => {
    const markdown = await markdownOf('/reference.html')
    for (const line of [
      '# Reading gauges',
      '## Values of a gauge',
      '| Value | Unit |',
      '| height | m |',
      '| age |  |',
      'level\n: The last height.',
      'since\n: Seconds to look back.',
      '```\nread(since=60)\n```',
      '## Errors of the line',
    ])
      expect(markdown).toContain(line)
    for (const text of ['Prev', 'Next', 'Home', 'Table of Contents']) expect(markdown).not.toContain(text)
  })

  it('returns the requested amount of content', async () => {
    const container = await markdownOf('/article', { mainContentMode: 'container' })
    expect(container).toContain('Share this story')
    expect(container).not.toContain('Copyright')
    for (const mainContentMode of ['balanced', 'article']) {
      const markdown = await markdownOf('/article', { mainContentMode })
      for (const town of [1, 2, 3, 4, 5]) expect(markdown).toContain(sentence(town))
      expect(markdown).not.toContain('Share this story')
    }
  })

  it.each([{ onlyMainContent: false }, { includeTags: ['main'] }])(
    'cannot be configured with %j',
    async (options) => {
      const url = `${site.url}/article`
      const { status, body } = await scrape({ url, mainContentMode: 'article', ...options })
      expect(status).toBe(400)
      expect(body.error).toContain('mainContentMode needs onlyMainContent')
    },
  )

  it('cannot be configured for a file if onlyMainContent is false', async () => {
    const options = { mainContentMode: 'article', onlyMainContent: false }
    const { status, body } = await post(article, { name: 'article.html', options })
    expect(status).toBe(400)
    expect(body.error).toContain('mainContentMode needs onlyMainContent')
  })
})
