import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../test/servers/postgres.ts'
import { startS3 } from '../test/servers/s3.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { type Site, startSite } from '../test/site/site.ts'
import { atLeast, type Figure, plain } from './figure.ts'

const pages = Number(process.env.PAGES ?? 2000)
const key = 'fc-bench-key'

/** The same crawl on PostgreSQL by one worker and by two. With two cores in all, the site and the store share them. */
export async function measure(): Promise<Figure[]> {
  const site = await startSite()
  const one = await crawlWith(site, 1)
  const two = await crawlWith(site, 2)
  await site.stop()
  return [
    plain('pages crawled by one worker, PostgreSQL', one, 'per s'),
    plain('pages crawled by two workers, PostgreSQL', two, 'per s'),
    atLeast('two workers against one (an aim; needs cores)', two / one, 1.7, 'times'),
  ]
}

async function crawlWith(site: Site, workers: number): Promise<number> {
  const folder = temporaryFolder()
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
  const environment = {
    ...{
      DATA_DIR: folder.path,
      API_KEY: key,
      ALLOW_PRIVATE_NETWORK: '127.0.0.1',
      RATE_PER_MINUTE: '1000000',
    },
    ...{ CHECK_RESPONSES: 'off', TEAM_CONCURRENCY: '32', LOG_LEVEL: 'warn' },
    ...{
      BLOBS_URL: s3.blobsUrl,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
    DATABASE_URL: await postgres.createDatabase(),
  }
  const roles = ['api', ...Array<string>(workers).fill('worker')]
  const services = await Promise.all(roles.map((role) => startService({ ...environment, ROLE: role })))
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${services[0]?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return response.json()
  }
  const began = performance.now()
  const { id } = await call('POST', '/v2/crawl', {
    ...{ url: `${site.url}/ring/1?of=${pages}`, limit: pages, sitemap: 'skip', crawlEntireDomain: true },
    scrapeOptions: { maxAge: 0 },
  })
  let state = { status: 'scraping', completed: 0 }
  while (state.status === 'scraping') {
    await sleep(500)
    state = await call('GET', `/v2/crawl/${id}?limit=1`)
  }
  const perSecond = state.completed / ((performance.now() - began) / 1000)
  await Promise.all(services.map((service) => service.stop()))
  await Promise.all([postgres.stop(), s3.stop()])
  folder.remove()
  if (state.completed !== pages) throw new Error(`Only ${state.completed} pages were crawled.`)
  return perSecond
}
