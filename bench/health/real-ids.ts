import { setTimeout as sleep } from 'node:timers/promises'
import { getIdName } from './path-ids.ts'
import { type Reply, sendCall, type Target } from './send-call.ts'

type CreateCall = (site: string) => [path: string, body: object]

const schema = { type: 'object', properties: { title: { type: 'string' } } }

/** Calls that create a resource of each kind. Each call that ends a resource gets a new resource. */
const createCalls: Record<string, CreateCall> = {
  team: () => ['/v2/operator/teams', { name: crypto.randomUUID() }],
  key: () => ['/v2/operator/keys', { teamId: '{team}' }],
  scrape: (url) => [
    '/v2/scrape',
    { url, formats: ['markdown', 'html', 'links', 'screenshot', 'changeTracking'] },
  ],
  crawl: (url) => ['/v2/crawl', { url, limit: 20, webhook: url, scrapeOptions: { fastMode: true } }],
  batch: (url) => [
    '/v2/batch/scrape',
    { urls: Array.from({ length: 20 }, (_, index) => `${url}/batch/${index}`), fastMode: true },
  ],
  extract: (url) => ['/v2/extract', { urls: [url], schema }],
  agent: (url) => ['/v2/agent', { urls: [url], prompt: 'All titles.', schema }],
  parse: () => ['/v2/parse', {}],
  search: () => ['/v2/search', { query: 'tide' }],
  session: () => ['/v2/browser', { ttl: 3600, activityTtl: 3600 }],
}

/** Returns a target with a new id for the resource in a path. */
export async function withNewId(target: Target, path: string): Promise<Target> {
  const name = getIdName(path)
  const created = await createResource(target, name)
  return created?.id === undefined ? target : { ...target, ids: { ...target.ids, [name]: created.id } }
}

async function createResource(target: Target, name: string): Promise<Reply | undefined> {
  const [path, body] = createCalls[name]?.(target.site) ?? []
  if (path === undefined) return undefined
  const takesFile = path === '/v2/parse' ? ({ takesFile: true } as const) : {}
  return (await sendCall(target, { method: 'POST', path, label: name, body, ...takesFile }, 30_000)).reply
}

/** Creates a resource of each kind, and collects derived ids, so that every path with an id is found. */
export async function createIds(target: Target): Promise<Target> {
  const ids: Record<string, string> = { paper: 'arxiv:1706.03762', profile: 'measured' }
  const targetWithIds = { ...target, ids }
  const addId = (name: string, id: unknown) => {
    if (typeof id === 'string' && id !== '') ids[name] = id
    else console.error(`There is no ${name}: its paths lead to an unknown id.`)
  }
  for (const name of Object.keys(createCalls)) {
    const reply = await createResource(targetWithIds, name)
    addId(name, reply?.id)
    if (name === 'scrape') addId('file', reply?.data?.screenshot?.split('/files/')[1])
    if (name !== 'session') continue
    addId('live', reply?.interactiveLiveViewUrl?.split('/live/')[1])
    addId('cdp', reply?.cdpUrl?.split('/cdp/')[1])
  }
  const read = async (path: string) =>
    (await sendCall(targetWithIds, { method: 'GET', path, label: '' }, 10_000)).reply
  // Wait until the crawl has sent its webhooks and the agent has ended.
  await sleep(8000)
  addId('tracked', (await read('/v2/team/tracked-pages')).data?.[0]?.id)
  addId('delivery', (await read('/v2/webhooks/deliveries')).data?.[0]?.webhookId)
  const { events = [] } = await read('/v2/agent/{id}/trace')
  addId('snapshot', /"snapshotId":"([^"]+)"/.exec(JSON.stringify(events))?.[1])
  return targetWithIds
}
