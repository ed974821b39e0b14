import { setTimeout as pause } from 'node:timers/promises'
import { page, type Routes, sendHtml } from '../site/route.ts'

/** A page that says something else every time. */
export const changingRoutes: Routes = {
  '/news': (exchange) =>
    sendHtml(
      exchange,
      page(
        'News of the harbour',
        `<p>The ferry leaves at seven.</p><p>Edition ${exchange.visit}: ${exchange.visit * 12} boats are in.</p><p>The museum is open until six.</p>`,
      ),
    ),
  '/hook': ({ response }) => response.end(),
}

/** What a team does on an ordinary day: pages, a crawl, a batch, tracked changes, and calls that fail. */
export async function makeWork({ service, key, site }: { service: string; key: string; site: string }) {
  const post = async (path: string, body: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(service + path, { method: 'POST', headers, body: JSON.stringify(body) })
    // Of the service that was just started.
    return (await answer.json()) as Answer
  }
  const url = `${site}/pages/1`
  const tracked = { type: 'changeTracking', modes: ['git-diff'] }
  const news = { url: `${site}/news`, formats: ['markdown', tracked], maxAge: 0 }
  for (let edition = 0; edition < 3; edition += 1) await post('/v2/scrape', news)
  const scraped = await post('/v2/scrape', { url, formats: ['markdown', 'links', 'screenshot', tracked] })
  await post('/v2/scrape', { url: `${site}/status/404` })
  await post('/v2/scrape', { url: 'http://nowhere.invalid/' })
  await post('/v2/map', { url: site })
  const crawl = await post('/v2/crawl', { url: site, limit: 25 })
  const webhook = { url: `${site}/hook` }
  await post('/v2/batch/scrape', { urls: [1, 2, 3, 4].map((number) => `${site}/pages/${number}`), webhook })
  await post('/v2/operator/teams', { name: 'research', credits: 5000 })
  const session = await post('/v2/browser', { ttl: 900, activityTtl: 900, profile: { name: 'shop' } })
  const code = `await page.goto(${JSON.stringify(url)})`
  await post(`/v2/browser/${session.id}/execute`, { code, language: 'node' })
  await pause(8000)
  return { url, crawlId: crawl.id ?? '', scrapeId: scraped.data?.metadata?.scrapeId ?? '' }
}

interface Answer {
  id?: string
  data?: { metadata?: { scrapeId?: string } }
}
