import { setTimeout as pause } from 'node:timers/promises'

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
  const scraped = await post('/v2/scrape', { url, formats: ['markdown', 'links', tracked] })
  await post('/v2/scrape', { url: `${site}/status/404` })
  await post('/v2/scrape', { url: 'http://nowhere.invalid/' })
  await post('/v2/map', { url: site })
  const crawl = await post('/v2/crawl', { url: site, limit: 25 })
  await post('/v2/batch/scrape', { urls: [1, 2, 3, 4].map((number) => `${site}/pages/${number}`) })
  await pause(8000)
  return { url, crawlId: crawl.id ?? '', scrapeId: scraped.data?.metadata?.scrapeId ?? '' }
}

interface Answer {
  id?: string
  data?: { metadata?: { scrapeId?: string } }
}
