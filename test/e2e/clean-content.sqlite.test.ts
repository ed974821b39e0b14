import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createTeam, type Json, scrape } from '../api.ts'
import { docx } from '../documents/office.ts'
import { lamps, post } from '../documents/post.ts'
import { until } from '../servers/until.ts'
import { send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const paragraphs = [
  'The harbour of Nes was closed for three days after the storm, and the boats of its fishermen could not leave the quay.',
  'On the second day the wind turned to the north, so the pilots moved the larger ships to the outer moorings behind the pier.',
  'The harbour master, who has held the office since 1998, said that the water had not stood so high in thirty years.',
  'Repairs of the eastern pier will take until the spring, because the stones have to be brought from the mainland by barge.',
]
/** Boilerplate that editors insert between and below the paragraphs of an article. */
const boilerplate = {
  share: 'Share this article on Facebook, Twitter or by e-mail',
  related: 'You may also like: ten storms that nobody has forgotten',
  newsletter: 'Get the best of our stories in your inbox every morning',
  author: 'Jane Doe is a staff writer at the Herald and lives on the island with two dogs.',
  cookies: 'By reading on you agree to our use of cookies.',
}
const article = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Storm closes harbour</title></head><body>
<header><nav><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/weather">Weather</a></nav></header>
<main><article><h1>Storm closes harbour</h1>
<p>${paragraphs[0]}</p><p>${paragraphs[1]} See the <a href="/map">map of the moorings</a>.</p>
<p class="share">${boilerplate.share}</p>
<h2>What was damaged</h2>
<ul><li>The eastern pier, over a length of forty metres</li><li>Two sheds of the boatyard</li><li>The lamp of the small light</li></ul>
<table><tr><th>Day</th><th>Water in cm</th></tr><tr><td>Monday</td><td>412</td></tr><tr><td>Tuesday</td><td>455</td></tr></table>
<figure><img src="/pier.jpg" alt="The pier in the storm"><figcaption>The pier on the second day of the storm.</figcaption></figure>
<p>${paragraphs[2]}</p><pre><code>level = gauge.read()
print(level)</code></pre><p>${paragraphs[3]}</p>
<div class="related"><h3>Related stories</h3><p><a href="/a">${boilerplate.related}</a></p></div>
<div class="promo"><p>${boilerplate.newsletter}</p></div>
<div class="author-bio"><p>${boilerplate.author}</p></div>
<p class="notice">${boilerplate.cookies}</p></article></main>
<footer><p>Copyright 2026 Harbour Herald. All rights reserved.</p></footer></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/article': (exchange) => sendHtml(exchange, article),
      '/short': (exchange) => sendHtml(exchange, '<!doctype html><h1>Fog</h1><p>Nothing is seen.</p>'),
      '/report.pdf': ({ response }) => send(response, { 'content-type': 'application/pdf' }, lamps),
    },
  })
})
afterAll(() => site.stop())

const read = async (path: string, options: object = {}): Promise<Json> => {
  const { status, body } = await scrape({ url: `${site.url}${path}`, onlyCleanContent: true, ...options })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data
}

function expectFullArticle(markdown: string): void {
  for (const paragraph of paragraphs) expect(markdown).toContain(paragraph)
  for (const part of [
    '# Storm closes harbour',
    '## What was damaged',
    '- The eastern pier, over a length of forty metres\n- Two sheds of the boatyard\n- The lamp of the small light',
    '| Monday | 412 |\n| Tuesday | 455 |',
    '![The pier in the storm](',
    '```\nlevel = gauge.read()\nprint(level)\n```',
    `[map of the moorings](${site.url}/map)`,
  ])
    expect(markdown).toContain(part)
}

describe('onlyCleanContent', () => {
  it('removes boilerplate that the ordinary result keeps, and keeps structures complete', async () => {
    const uncleaned = await read('/article', { onlyCleanContent: false })
    const { markdown, warning } = await read('/article')
    expect(warning).toBeUndefined()
    expectFullArticle(markdown)
    for (const text of [...Object.values(boilerplate), 'Related stories'])
      expect(markdown).not.toContain(text)
    expect(Object.values(boilerplate).filter((text) => uncleaned.markdown.includes(text))).not.toEqual([])
  })

  it('cleans the full page if onlyMainContent is false', async () => {
    const { markdown } = await read('/article', { onlyMainContent: false })
    expectFullArticle(markdown)
    for (const text of [boilerplate.share, boilerplate.cookies, 'All rights reserved', 'Weather'])
      expect(markdown).not.toContain(text)
  })

  it('cleans the parts that includeTags and excludeTags select', async () => {
    const { markdown } = await read('/article', { includeTags: ['article'], excludeTags: ['table'] })
    expect(markdown).toContain(paragraphs[2])
    for (const text of [boilerplate.share, boilerplate.cookies, 'Monday'])
      expect(markdown).not.toContain(text)
  })

  it('affects only formats that are derived from the Markdown', async () => {
    const { html } = await read('/article', { formats: ['markdown', 'html'] })
    expect(html).toBe((await read('/article', { formats: ['html'], onlyCleanContent: false })).html)
    const htmlOnly = await read('/article', { formats: ['html'] })
    expect(htmlOnly.warning).toContain('onlyCleanContent has no effect: none of the requested formats')
  })

  it('keeps a page if too little text would remain, and warns', async () => {
    const { markdown, warning } = await read('/short')
    expect(markdown).toBe('# Fog\n\nNothing is seen.')
    expect(warning).toContain('onlyCleanContent has no effect: the page has too little text')
    const footer = await read('/article', { includeTags: ['footer'] })
    expect(footer.markdown).toContain('All rights reserved')
    expect(footer.warning).toContain('onlyCleanContent has no effect')
  })

  it('cleans every page of a batch and of a crawl', async () => {
    const url = `${site.url}/article`
    const options = { formats: ['markdown'], onlyCleanContent: true }
    for (const [path, body] of [
      ['/v2/batch/scrape', { urls: [url], ...options }],
      ['/v2/crawl', { url, limit: 1, sitemap: 'skip', scrapeOptions: options }],
    ] as const) {
      const { body: started } = await call('POST', path, { body })
      const { data } = await until(`the end of ${path}`, 30_000, async () => {
        const { body: job } = await call('GET', `${path}/${started.id}`)
        return job.status === 'completed' ? job : undefined
      })
      expectFullArticle(data[0].markdown)
      expect(data[0].markdown).not.toContain(boilerplate.share)
    }
  })

  it('cleans uploaded HTML, and warns that it has no effect on other files', async () => {
    const options = { onlyCleanContent: true }
    const { body } = await post(article, { name: 'article.html', options })
    expect(body.data.markdown).not.toContain(boilerplate.share)
    expect(body.data.warning).toBeUndefined()
    for (const [bytes, name] of [
      [lamps, 'report.pdf'],
      [docx(), 'lighthouse.docx'],
      ['Plain text of a note.', 'note.txt'],
    ] as const) {
      const { body: file } = await post(bytes, { name, options })
      expect(file.data.warning, name).toContain('onlyCleanContent has no effect')
    }
    expect((await read('/report.pdf')).warning).toContain('onlyCleanContent has no effect')
  })

  it('has no effect with zero data retention, and warns', async () => {
    const team = await createTeam({ zeroDataRetention: true })
    const body = { url: `${site.url}/article`, onlyCleanContent: true, zeroDataRetention: true }
    const { data } = (await team.call('POST', '/v2/scrape', { body })).body
    const uncleaned = await read('/article', { onlyCleanContent: false })
    expect(data.markdown).toBe(uncleaned.markdown)
    expect(data.warning).toContain('onlyCleanContent has no effect: it is not supported with zero data')
  })
})
