import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { silentLog } from '../../src/platform/log.ts'
import { findIndex } from '../../src/search/index/documents.ts'
import type { SearchStore } from '../../src/search/index/tables.ts'
import type { Store } from '../../src/store/schema.ts'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { openIndex } from '../team-rows.ts'

let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite()
  // Word search is sufficient here, and a search without a model returns sooner.
  own = await startOwnService({ SEARCH_VECTORS: 'off' })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
})

async function newTeam(name: string, settings: object = {}) {
  const team = (await own.call('POST', '/v2/operator/teams', { body: { name, ...settings } })).body.data
  const { key } = (await own.call('POST', '/v2/operator/keys', { body: { teamId: team.id } })).body
  const call = async (method: string, path: string, body?: object): Promise<Json> =>
    (await own.call(method, path, { key, ...(body ? { body } : {}) })).body
  return {
    id: team.id as string,
    shown: team,
    scrape: (page: string) => call('POST', '/v2/scrape', { url: `${site.url}/pages/${page}` }),
    search: async () => {
      const { data, warning } = await call('POST', '/v2/search', { query: 'text of page', limit: 50 })
      return { found: data.web.map(({ url }: Json) => url.split('/').at(-1)).sort(), warning }
    },
    searchIndex: async () => (await call('GET', '/v2/team/me')).data.team.searchIndex,
    change: async (body: object) =>
      (await own.call('POST', `/v2/operator/teams/${team.id}`, { body })).body.data,
  }
}

async function withStores<Result>(
  work: (stores: { store: Store; index: SearchStore }) => Promise<Result>,
): Promise<Result> {
  const { store } = await openStore(readSettings(own.environment), silentLog)
  const index = openIndex(own, store)
  try {
    return await work({ store, index })
  } finally {
    // On PostgreSQL, both are the same store.
    if (!own.environment.DATABASE_URL) await index.close()
    await store.close()
  }
}

/** Returns the indexes of a team, and its pages that wait for the index. */
const indexedOf = (teamId: string) =>
  withStores(async ({ store, index }) => {
    const waiting = store.query.selectFrom('search_pending').select('url').where('team_id', '=', teamId)
    const indexed = index.query.selectFrom('search_indexes').select('kind').where('team_id', '=', teamId)
    return { waiting: await waiting.execute(), indexed: await indexed.execute() }
  })
const noEntries = { waiting: [], indexed: [] }

describe('searchIndex of a team', () => {
  it('removes indexed pages, adds no others, and can be enabled again', async () => {
    const [team, other] = [await newTeam('searched'), await newTeam('other')]
    expect([team.shown.searchIndex, await team.searchIndex()]).toEqual([true, true])
    await team.scrape('first')
    await expect.poll(team.search).toEqual({ found: ['first'], warning: undefined })

    expect(await team.change({ searchIndex: false })).toMatchObject({ searchIndex: false })
    expect(await team.searchIndex()).toBe(false)
    expect(await team.search()).toEqual({
      found: [],
      warning:
        'own pages are not searched, because the operator has switched off the search index of this team (searchIndex).',
    })
    await expect.poll(() => indexedOf(team.id)).toEqual(noEntries)
    await team.scrape('second')
    await other.scrape('third')
    await expect.poll(other.search).toEqual({ found: ['third'], warning: undefined })
    expect(await indexedOf(team.id)).toEqual(noEntries)

    const setByCommand = (value: string) =>
      runCommand(['key', 'set', '--team', 'searched', '--search-index', value], own.environment)
    expect((await setByCommand('maybe')).code).toBe(1)
    expect(await setByCommand('on')).toMatchObject({ code: 0 })
    expect(await team.searchIndex()).toBe(true)
    await team.scrape('fourth')
    await expect.poll(team.search).toEqual({ found: ['fourth'], warning: undefined })
    expect(await setByCommand('off')).toMatchObject({ code: 0 })
    expect((await team.search()).found).toEqual([])
    // The next page of any team starts the removal, even if the command cannot notify the service.
    await other.scrape('fifth')
    await expect.poll(() => indexedOf(team.id)).toEqual(noEntries)
  })

  it('can be off when a team is created', async () => {
    const team = await newTeam('never searched', { searchIndex: false })
    expect([team.shown.searchIndex, await team.searchIndex()]).toEqual([false, false])
    await team.scrape('first')
    const next = await newTeam('searched next')
    await next.scrape('first')
    // The page of this team was recorded later.
    await expect.poll(next.search).toEqual({ found: ['first'], warning: undefined })
    expect(await indexedOf(team.id)).toEqual(noEntries)
  })
})

describe('SEARCH_INDEX', () => {
  it('is disabled without loss of indexed pages', async () => {
    const team = await newTeam('of the installation')
    await team.scrape('before')
    await expect.poll(team.search).toEqual({ found: ['before'], warning: undefined })
    await own.stop()
    own = await own.again({ SEARCH_INDEX: 'off' })
    expect(await team.search()).toEqual({
      found: [],
      warning:
        'own pages are not searched, because the operator has switched off their index (SEARCH_INDEX=off).',
    })
    await team.scrape('meanwhile')
    // A stop writes the pages that are not recorded yet.
    await own.stop()
    expect(await indexedOf(team.id)).toEqual({ waiting: [], indexed: [{ kind: 'page' }] })
    own = await own.again({ SEARCH_INDEX: 'on' })
    expect(await team.search()).toEqual({ found: ['before'], warning: undefined })
  })
})

describe('a rebuild of the index', () => {
  it('is reported by readiness and by searches until it is complete', async () => {
    const team = await newTeam('upgraded')
    await team.scrape('new')
    await expect.poll(team.search).toEqual({ found: ['new'], warning: undefined })
    await own.stop()
    await withStores(({ index }) => addOldDocuments(index, team.id))
    own = await own.again()
    const ready = async (headers = {}) => {
      const { status, body } = await own.call('GET', '/health/ready', { headers })
      return { status, warnings: body.warnings }
    }
    const search = `${blockedCount} stored pages and images are being indexed again and cannot be found by search yet`
    await expect.poll(ready).toEqual({ status: 200, warnings: { search } })
    const remoteHeaders = { 'x-forwarded-for': '203.0.113.9' }
    expect(await ready(remoteHeaders)).toEqual({ status: 200, warnings: { search: 'see the log' } })
    const duringRebuild = await team.search()
    expect(duringRebuild.found).toContain(`old-${numbers.at(-1)}`)
    expect(duringRebuild.warning).toBe(
      `${blockedCount} own pages are being indexed again and cannot be found yet.`,
    )

    await withStores(({ index }) => unblock(index))
    // New pages are indexed first. The rebuild continues afterwards.
    await team.scrape('newer')
    await expect.poll(ready).toEqual({ status: 200 })
    const oldPages = numbers.map((number) => `old-${number}`)
    await expect.poll(team.search).toEqual({ found: ['new', 'newer', ...oldPages], warning: undefined })
  })
})

/** Numbers of old documents. A rebuild step indexes 32 documents, newest first, so the last 8 need a second step. */
const numbers = Array.from({ length: 40 }, (_, index) => 1000 + index)
const blockedCount = 8

/** Adds documents of an older version, without terms. A trigger makes the second step of their rebuild fail. */
async function addOldDocuments(index: SearchStore, teamId: string): Promise<void> {
  const { query, dialect } = index
  const { id } = (await findIndex(query, { teamId, kind: 'page' })) ?? { id: '' }
  const page = await query
    .selectFrom('search_documents')
    .selectAll()
    .where('index_id', '=', id)
    .executeTakeFirstOrThrow()
  for (const number of numbers) {
    const key = `${page.page_key}-${number}`
    const identity = { number, page_key: key, document_key: key, url: `${site.url}/pages/old-${number}` }
    // Near-duplicates are returned once, so each document needs its own fingerprint.
    const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, page.fingerprint.length)
    const title = `Old page ${number}`
    await query
      .insertInto('search_documents')
      .values({ ...page, ...identity, fingerprint, title, hash: key, terms: null })
      .execute()
  }
  await query
    .updateTable('search_indexes')
    .set((row) => ({ next_number: 2000, documents: row('documents', '+', numbers.length) }))
    .where('id', '=', id)
    .execute()
  const blockedEnd = 1000 + blockedCount
  if (dialect === 'sqlite')
    await sql`create trigger blocked before update of terms on search_documents
      when old.number >= 1000 and old.number < ${sql.lit(blockedEnd)} begin select raise(abort, 'blocked'); end`.execute(
      query,
    )
  else {
    await sql`create function blocked() returns trigger language plpgsql as
      $$ begin raise exception 'blocked'; end $$`.execute(query)
    await sql`create trigger blocked before update of terms on search_documents for each row
      when (old.number >= 1000 and old.number < ${sql.lit(blockedEnd)}) execute function blocked()`.execute(
      query,
    )
  }
}

async function unblock({ query, dialect }: SearchStore): Promise<void> {
  await (dialect === 'sqlite'
    ? sql`drop trigger blocked`
    : sql`drop trigger blocked on search_documents`
  ).execute(query)
}
