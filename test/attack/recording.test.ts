import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Tables that only record data about a page. Inserts into them fail. */
const failingTables = ['snapshots', 'search_pending']

let site: Site
let service: OwnService

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lamp': (exchange) => sendHtml(exchange, page('Desk lamp', '<dl><dt>Price</dt><dd>12 €</dd></dl>')),
    },
  })
  service = await startOwnService({ LOG_LEVEL: 'warn' })
  await failInserts(service.environment)
}, 60_000)
afterAll(async () => {
  await service.remove()
  await site.stop()
})

async function failInserts({ DATABASE_URL, DATA_DIR = '' }: OwnService['environment']): Promise<void> {
  if (DATABASE_URL === undefined) {
    const database = new DatabaseSync(join(DATA_DIR, 'winnow.sqlite'))
    for (const table of failingTables)
      database.exec(
        `create trigger fail_${table} before insert on ${table} begin select raise(abort, 'not stored'); end`,
      )
    return database.close()
  }
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'not stored'; end $$`,
  )
  for (const table of failingTables)
    await client.query(
      `create trigger fail_${table} before insert on ${table} for each row execute function fail()`,
    )
  await client.end()
}

const schema = { type: 'object', properties: { title: { type: 'string' }, price: { type: 'number' } } }

describe('a finished scrape', () => {
  it('is returned although none of its recordings can be stored', async () => {
    const formats = ['markdown', { type: 'json', schema }, { type: 'changeTracking' }]
    const { status, body } = await service.call('POST', '/v2/scrape', {
      body: { url: `${site.url}/lamp`, formats },
    })
    expect(status).toBe(200)
    expect(body.data.markdown).toContain('12 €')
    expect(body.data.warning).toContain('changeTracking: this version could not be stored')
    expect(service.process.exitCode).toBeNull()
    await expect.poll(() => service.output()).toContain('a tracked version could not be stored')
  })
})
