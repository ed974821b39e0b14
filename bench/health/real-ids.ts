import { setTimeout as sleep } from 'node:timers/promises'
import { idName } from './path-ids.ts'
import { type Reply, sendCall, type Target } from './send-call.ts'

type Maker = (site: string) => [path: string, body: object]

const schema = { type: 'object', properties: { title: { type: 'string' } } }

/** What makes one of each kind. A call that ends something is given a new one each time. */
const makers: Record<string, Maker> = {
  team: () => ['/v2/operator/teams', { name: crypto.randomUUID() }],
  key: () => ['/v2/operator/keys', { teamId: '{team}' }],
  scrape: (url) => [
    '/v2/scrape',
    { url, formats: ['markdown', 'html', 'links', 'screenshot', 'changeTracking'] },
  ],
  crawl: (url) => ['/v2/crawl', { url, limit: 20, webhook: url, scrapeOptions: { fastMode: true } }],
  batch: (url) => [
    '/v2/batch/scrape',
    { urls: Array.from({ length: 20 }, (_, at) => `${url}/batch/${at}`), fastMode: true },
  ],
  extract: (url) => ['/v2/extract', { urls: [url], schema }],
  agent: (url) => ['/v2/agent', { urls: [url], prompt: 'All titles.', schema }],
  parse: () => ['/v2/parse', {}],
  search: () => ['/v2/search', { query: 'tide' }],
  session: () => ['/v2/browser', { ttl: 3600, activityTtl: 3600 }],
}

/** The ids of a target with a new one for what a path names. */
export async function withNewId(target: Target, path: string): Promise<Target> {
  const name = idName(path)
  const made = await makeOne(target, name)
  return made?.id === undefined ? target : { ...target, ids: { ...target.ids, [name]: made.id } }
}

async function makeOne(target: Target, name: string): Promise<Reply | undefined> {
  const [path, body] = makers[name]?.(target.site) ?? []
  if (path === undefined) return undefined
  const takesFile = path === '/v2/parse' ? ({ takesFile: true } as const) : {}
  return (await sendCall(target, { method: 'POST', path, what: name, body, ...takesFile }, 30_000)).reply
}

/** One of each kind, and what they leave behind, so that every path with an id leads to something. */
export async function makeIds(target: Target): Promise<Target> {
  const ids: Record<string, string> = { paper: 'arxiv:1706.03762', profile: 'measured' }
  const filled = { ...target, ids }
  const keep = (name: string, id: unknown) => {
    if (typeof id === 'string' && id !== '') ids[name] = id
    else console.error(`There is no ${name}: its paths lead to an unknown id.`)
  }
  for (const name of Object.keys(makers)) {
    const reply = await makeOne(filled, name)
    keep(name, reply?.id)
    if (name === 'scrape') keep('file', reply?.data?.screenshot?.split('/files/')[1])
    if (name !== 'session') continue
    keep('live', reply?.interactiveLiveViewUrl?.split('/live/')[1])
    keep('cdp', reply?.cdpUrl?.split('/cdp/')[1])
  }
  const read = async (path: string) =>
    (await sendCall(filled, { method: 'GET', path, what: '' }, 10_000)).reply
  // The crawl sends its webhooks, and the agent ends.
  await sleep(8000)
  keep('tracked', (await read('/v2/team/tracked-pages')).data?.[0]?.id)
  keep('delivery', (await read('/v2/webhooks/deliveries')).data?.[0]?.webhookId)
  const { events = [] } = await read('/v2/agent/{id}/trace')
  keep('snapshot', /"snapshotId":"([^"]+)"/.exec(JSON.stringify(events))?.[1])
  return filled
}
