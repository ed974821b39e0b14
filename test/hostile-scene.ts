import { writeFileSync } from 'node:fs'
import type { Json, OwnService } from './api.ts'
import { ended } from './extracts.ts'
import { until } from './servers/until.ts'
import { type Routes, sendHtml } from './site/route.ts'

/** Ids of a team whose every text is untrusted and tries to make the reader's browser run or load something. */
export interface HostileScene {
  scrapeId: string
  parseId: string
  failedId: string
  batchId: string
  crawlId: string
  extractId: string
  agentId: string
  sessionId: string
}

const sentence = 'The lighthouse keeper writes down the weather of every evening. '

/** Returns a text that is harmful if it is not displayed as plain text. */
export function attack(evilUrl: string): string {
  return `"'><img src="${evilUrl}/hit" onerror="alert(1)"><script>alert(2)</script><svg onload="alert(3)"></svg>[x](javascript:alert(4)) ![y](${evilUrl}/hit)`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns a page with everything that HTML can run or load, as markup and as escaped text. */
export function hostilePage(evilUrl: string, visit: number): string {
  const text = escaped(attack(evilUrl))
  return `<!doctype html><html lang="en"><head><title>${text}</title><base href="${evilUrl}/">
<meta name="description" content="${text}"><meta property="og:image" content="${evilUrl}/hit">
<link rel="stylesheet" href="${evilUrl}/hit"><link rel="icon" href="${evilUrl}/hit">
<style>@import "${evilUrl}/hit"; body { background: url(${evilUrl}/hit) } .red { color: rgb(200, 0, 0) }</style></head>
<body onload="alert(5)"><main><h1 class="red">${text}</h1><script>alert(6)</script>
<p style="background-image: url(${evilUrl}/hit); color: rgb(0, 0, 200)" onclick="alert(7)">${text} ${sentence.repeat(6)}</p>
<p><a href="javascript:alert(8)">a link</a> <a href="data:text/html,${text}">another</a> <a href="${evilUrl}/hit" ping="${evilUrl}/hit">third</a></p>
<img src="${evilUrl}/hit" onerror="alert(9)" alt="${text}"><svg onload="alert(10)"><script>alert(11)</script><image href="${evilUrl}/hit"/></svg>
<iframe src="${evilUrl}/hit"></iframe><object data="${evilUrl}/hit"></object><video src="${evilUrl}/hit" poster="${evilUrl}/hit"></video>
<form action="${evilUrl}/hit"><input autofocus onfocus="alert(12)" name="x"><button>Send</button></form>
<dl><dt>Price</dt><dd>12 €</dd><dt>Maker</dt><dd>${text}</dd></dl><p>Version ${visit}: ${text}</p></main></body></html>`
}

export function hostileRoutes(evilUrl: string): Routes {
  return {
    '/hostile': (exchange) => sendHtml(exchange, hostilePage(evilUrl, exchange.visit)),
    '/hook': ({ response }) => response.end(),
  }
}

/** Writes the script of a manipulated model. */
export function writeHostileScript(path: string, site: string, evilUrl: string): void {
  const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
  const turns = [
    toolCall('scrape', { urls: [`${site}/hostile`] }),
    toolCall('done', { answer: `${sentence}${attack(evilUrl)}` }),
  ]
  const answer = { value: { answer: attack(evilUrl), sentences: [1] } }
  writeFileSync(path, JSON.stringify([{ when: 'The task:', turns }, { turns: [answer] }]))
}

export async function createHostileScene(
  own: OwnService,
  site: string,
  evilUrl: string,
): Promise<HostileScene> {
  const post = async (path: string, body: object): Promise<Json> =>
    (await own.call('POST', path, { body })).body
  const url = `${site}/hostile`
  const text = attack(evilUrl)
  const tracking = { type: 'changeTracking', modes: ['git-diff'], tag: 'keeper' }
  const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', 'screenshot', tracking]
  const actions = [{ type: 'screenshot' }]
  const schema = { type: 'object', properties: { maker: { type: 'string' }, price: { type: 'string' } } }
  const webhook = { url: `${site}/hook`, metadata: { note: text } }
  await post('/v2/scrape', { url, formats, maxAge: 0 })
  const [scraped, parsed, , batch, crawl, extract, agent, session] = await Promise.all([
    post('/v2/scrape', { url, formats, actions, maxAge: 0 }),
    parse(own, `${text.replaceAll('/', '')}.html`, hostilePage(evilUrl, 1)),
    post('/v2/scrape', { url: `http://nowhere.invalid/?${text}` }),
    post('/v2/batch/scrape', { urls: [url, `${site}/reset?${text}`], webhook }),
    post('/v2/crawl', { url, limit: 2, sitemap: 'skip' }),
    post('/v2/extract', { urls: [url], schema, showSources: true }),
    post('/v2/agent', { prompt: 'What does the keeper write?', urls: [url] }),
    post('/v2/browser', { ttl: 300, activityTtl: 300, profile: { name: text.slice(0, 60) } }),
    post('/v2/operator/teams', { name: text.slice(0, 60) }),
  ])
  const code = `await page.goto(${JSON.stringify(url)}, { waitUntil: 'commit' })`
  await Promise.all([
    post(`/v2/browser/${session.id}/execute`, { code, language: 'node' }),
    ...[`/v2/extract/${extract.id}`, `/v2/agent/${agent.id}`].map((path) => ended(path, own)),
    ...[`/v2/batch/scrape/${batch.id}`, `/v2/crawl/${crawl.id}`].map((path) => finished(own, path)),
  ])
  return {
    scrapeId: scraped.data.metadata.scrapeId,
    parseId: parsed.data.metadata.scrapeId,
    failedId: (await own.call('GET', '/v2/team/activity?state=failed&endpoint=scrape')).body.data[0].id,
    ...{
      batchId: batch.id,
      crawlId: crawl.id,
      extractId: extract.id,
      agentId: agent.id,
      sessionId: session.id,
    },
  }
}

async function parse(own: OwnService, name: string, html: string): Promise<Json> {
  const form = new FormData()
  form.append('file', new Blob([html], { type: 'text/html' }), name)
  form.append('options', JSON.stringify({ formats: ['markdown', 'html'] }))
  const headers = { authorization: `Bearer ${own.key}` }
  return (await fetch(`${own.url}/v2/parse`, { method: 'POST', headers, body: form })).json()
}

const finished = (own: OwnService, path: string) =>
  until(`the end of ${path}`, 50_000, async () => {
    const { body } = await own.call('GET', path)
    return body.status === 'scraping' ? undefined : body
  })
