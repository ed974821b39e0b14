import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { sweepDeletedTeams } from '../../src/jobs/sweeper.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openIndex as openSearchIndex, removeTeam } from '../../src/search/index/documents.ts'
import { findWrongBalances } from '../../src/store/credits.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { type Answer, type CallOptions, callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { openIndex, rowsOf } from '../team-rows.ts'

/** Resolves when the test releases the held page. */
const released = Promise.withResolvers<void>()

let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/held': async (exchange) => {
        await released.promise
        sendHtml(exchange, page('Held', '<p>Released.</p>'))
      },
    },
  })
  own = await startOwnService({ TEAM_CREDITS: '10', TEAM_CONCURRENCY: '3' })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
})

const post = (path: string, body: object, options: CallOptions = {}): Promise<Answer> =>
  own.call('POST', path, { body, ...options })
const me = async (key: string) => (await own.call('GET', '/v2/team/me', { key })).body.data

/** Creates a team with a key, through the operator API. */
async function newAccount(name: string, settings: object = {}, operator = false) {
  const team = (await post('/v2/operator/teams', { name, ...settings })).body.data
  const created = (await post('/v2/operator/keys', { teamId: team.id, operator })).body
  return { team, key: created.key as string, keyId: created.data.id as string }
}

/** Returns the teams whose balance is not the sum of their ledger. */
async function listWrongBalances() {
  const { store } = await openStore(readSettings(own.environment), silentLog)
  const balances = await findWrongBalances(store.query)
  await store.close()
  return balances
}

describe('teams', () => {
  it('are created, listed and changed', async () => {
    const { team, key } = await newAccount('made', { concurrency: 2 })
    expect(team).toEqual({
      ...{ id: expect.any(String), name: 'made', balance: 10, unlimited: false, concurrency: 2 },
      ...{ hasDefaultConcurrency: false, zeroDataRetention: false, signsWebhooks: false, keys: 0 },
      ...{ derivedWebhookSecret: null, creditsUsed: 0, createdAt: expect.any(String), searchIndex: true },
    })
    await post('/v2/scrape', { url: `${site.url}/pages/1` }, { key })
    const { data } = (await own.call('GET', '/v2/operator/teams')).body
    expect(data).toContainEqual({ ...team, balance: 9, keys: 1, creditsUsed: 1 })
    expect(data).toContainEqual(expect.objectContaining({ name: 'default', hasDefaultConcurrency: true }))

    const changes = { concurrency: null, credits: 5, zeroDataRetention: true, webhookSecret: 'new' }
    const { body } = await post(`/v2/operator/teams/${team.id}`, changes)
    expect(body.data).toMatchObject({ balance: 14, concurrency: 3, hasDefaultConcurrency: true })
    expect(body.data).toMatchObject({ zeroDataRetention: true, signsWebhooks: true })
    expect(body.webhookSecret.length).toBeGreaterThanOrEqual(32)
    const off = (await post(`/v2/operator/teams/${team.id}`, { webhookSecret: 'off' })).body
    expect(off.data.signsWebhooks).toBe(false)
    expect(off).not.toHaveProperty('webhookSecret')
  })

  it('can become unlimited, and limited again', async () => {
    const { team, key } = await newAccount('unlimited', { unlimited: true })
    expect(team).toMatchObject({ balance: null, unlimited: true })
    await post('/v2/scrape', { url: `${site.url}/pages/1` }, { key })
    const change = async (changes: object) =>
      (await post(`/v2/operator/teams/${team.id}`, changes)).body.data.balance
    expect(await change({ credits: 7 })).toBe(7)
    expect(await change({ unlimited: true })).toBe(null)
    expect(await change({ unlimited: false })).toBe(0)
    expect(await listWrongBalances()).toEqual([])
  })

  it('count every charge while their limit changes', async () => {
    const { team, key } = await newAccount('charged all the time', { unlimited: true })
    let isRunning = true
    const scrapeRepeatedly = async (number: number) => {
      for (let index = 0; isRunning; index += 1) {
        const body = { url: `${site.url}/pages/charged-${number}-${index}`, maxAge: 0 }
        await own.call('POST', '/v2/scrape', { key, body })
      }
    }
    const callers = [1, 2, 3, 4].map(scrapeRepeatedly)
    const change = (body: object) => post(`/v2/operator/teams/${team.id}`, body)
    for (let index = 0; index < 10; index += 1)
      await change(index % 2 ? { unlimited: true } : { credits: 1000 })
    isRunning = false
    await Promise.all(callers)
    await change({ unlimited: false })
    expect(await listWrongBalances()).toEqual([])
  })

  it('require unique names and valid values', async () => {
    await newAccount('twice')
    const created = await Promise.all([1, 2, 3].map(() => post('/v2/operator/teams', { name: 'at once' })))
    expect(created.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const invalid: [object, number, string][] = [
      [{ name: 'twice' }, 409, 'TEAM_NAME_TAKEN'],
      [{ name: '  ' }, 400, 'BAD_REQUEST'],
      [{ name: 'a\nb' }, 400, 'BAD_REQUEST'],
      [{ name: 'x'.repeat(101) }, 400, 'BAD_REQUEST'],
      [{ name: 'y', credits: 5, unlimited: true }, 400, 'BAD_REQUEST'],
      [{ name: 'y', credits: 2e9 }, 400, 'BAD_REQUEST'],
      [{ name: 'y', color: 'red' }, 400, 'BAD_REQUEST'],
    ]
    for (const [body, status, code] of invalid) {
      const answer = await post('/v2/operator/teams', body)
      expect([answer.status, answer.body.code]).toEqual([status, code])
    }
    const unknownTeam = '/v2/operator/teams/00000000-0000-7000-8000-000000000000'
    expect((await post(unknownTeam, { credits: 1 })).body.code).toBe('TEAM_NOT_FOUND')
    expect((await post(unknownTeam, {})).status).toBe(400)
  })

  it('are listed in pages', async () => {
    await newAccount('one more')
    const names: string[] = []
    let path = '/v2/operator/teams?limit=1'
    for (;;) {
      const { data, cursor, has_more } = (await own.call('GET', path)).body
      names.push(data[0].name)
      expect(has_more).toBe(cursor !== null)
      if (cursor === null) break
      path = `/v2/operator/teams?limit=1&cursor=${cursor}`
    }
    expect(names[0]).toBe('default')
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('one more')
  })
})

describe('keys', () => {
  it('are returned once, listed by their hint, and revoked within a second', async () => {
    const { team, key, keyId } = await newAccount('with a key')
    expect(await me(key)).toEqual({
      team: { id: team.id, name: 'with a key', concurrency: 3, zeroDataRetention: false, searchIndex: true },
      keyHint: `${key.slice(0, 7)}…`,
      isOperator: false,
    })
    const list = async () => (await own.call('GET', `/v2/operator/keys?teamId=${team.id}`)).body
    const listed = await list()
    expect(listed.data).toEqual([
      {
        ...{ id: keyId, hint: `${key.slice(0, 7)}…`, team: { id: team.id, name: 'with a key' } },
        ...{ isOperator: false, createdAt: expect.any(String), lastUsedAt: expect.any(String) },
        revokedAt: null,
      },
    ])
    expect(JSON.stringify(listed)).not.toContain(key)
    expect((await own.call('DELETE', `/v2/operator/keys/${keyId}`)).body).toEqual({ success: true })
    await expect.poll(async () => (await own.call('GET', '/v2/team/me', { key })).status).toBe(401)
    expect((await list()).data[0].revokedAt).toEqual(expect.any(String))
    const again = await own.call('DELETE', `/v2/operator/keys/${keyId}`)
    expect([again.status, again.body.code]).toEqual([404, 'KEY_NOT_FOUND'])
    const unknownTeam = { teamId: '00000000-0000-7000-8000-000000000000' }
    expect((await post('/v2/operator/keys', unknownTeam)).body.code).toBe('TEAM_NOT_FOUND')
  })

  it('of operators are created by the API and by the command, and the command lists them', async () => {
    const { key, keyId } = await newAccount('operators', {}, true)
    expect((await me(key)).isOperator).toBe(true)
    expect((await own.call('GET', '/v2/operator/keys', { key })).status).toBe(200)
    const create = ['key', 'create', '--team', 'operators', '--operator']
    const createdKey = (await runCommand(create, own.environment)).stdout.split('\n')[0] ?? ''
    expect((await me(createdKey)).isOperator).toBe(true)
    const { stdout } = await runCommand(['key', 'list'], own.environment)
    const lines = stdout.split('\n').filter((line) => line.includes('operators'))
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/ {2}operator$/)
    expect((await own.call('DELETE', `/v2/operator/keys/${keyId}`)).status).toBe(200)
  })

  it('of operators cannot all be revoked, even by concurrent calls', async () => {
    const isolated = await startOwnService()
    const { teamId } = (await isolated.call('GET', '/v2/operator/keys')).body.data.map(
      (key: { team: { id: string } }) => ({ teamId: key.team.id }),
    )[0]
    await isolated.call('POST', '/v2/operator/keys', { body: { teamId, operator: true } })
    const keys = (await isolated.call('GET', '/v2/operator/keys')).body.data
    expect(keys).toHaveLength(2)
    const answers: Answer[] = await Promise.all(
      keys.map(({ id }: { id: string }) => isolated.call('DELETE', `/v2/operator/keys/${id}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const rejected = answers.find(({ status }) => status === 409)
    expect(rejected?.body.code).toBe('LAST_OPERATOR_KEY')
    const remaining = keys[answers.findIndex(({ status }) => status === 409)].id
    const command = await runCommand(['key', 'revoke', '--id', remaining], isolated.environment)
    expect(command).toMatchObject({ code: 1, stderr: expect.stringContaining('last active key') })
    await isolated.remove()
  })
})

describe('a deleted team', () => {
  it('loses its keys, its jobs and all stored data', async () => {
    const { team, key } = await newAccount('leaving')
    const crawlRequest = { url: `${site.url}/hang?leaving`, limit: 5, webhook: `${site.url}/hook` }
    await post('/v2/scrape', { url: `${site.url}/article`, formats: ['markdown', 'changeTracking'] }, { key })
    const crawl = (await post('/v2/crawl', crawlRequest, { key })).body
    const { store } = await openStore(readSettings(own.environment), silentLog)
    // The response does not wait until the page is stored.
    await expect.poll(() => rowsOf(store.query, team.id)).toContain('pages')
    const index = openIndex(own, store)
    await expect.poll(() => rowsOf(index.query, team.id)).toContain('search_indexes')
    const path = `/v2/operator/teams/${team.id}`
    expect((await own.call('DELETE', path)).status).toBe(200)
    expect((await own.call('DELETE', path)).body.code).toBe('TEAM_NOT_FOUND')
    await expect.poll(async () => (await own.call('GET', '/v2/team/me', { key })).status).toBe(401)
    const { data } = (await own.call('GET', '/v2/operator/teams?limit=200')).body
    expect(data.map(({ id }: Json) => id)).not.toContain(team.id)
    // Another team can use the name immediately.
    expect((await post('/v2/operator/teams', { name: 'leaving' })).status).toBe(200)

    const job = await findJob(store.query, crawl.id)
    expect(job?.state).toBe('cancelled')
    const clock = { now: () => Date.now() + 3600_000 }
    const removeIndexedPages = (id: string) => removeTeam(openSearchIndex(index), id)
    const remainingRows = async () => {
      await sweepDeletedTeams({ store, clock, log: silentLog, removeIndexedPages })
      return [...(await rowsOf(store.query, team.id)), ...(await rowsOf(index.query, team.id))]
    }
    await expect.poll(remainingRows).toEqual([])
    await store.close()
  })

  it('cannot be the team with the last operator key', async () => {
    const isolated = await startOwnService()
    const first = (await isolated.call('GET', '/v2/team/me')).body.data.team.id
    const answer = await isolated.call('DELETE', `/v2/operator/teams/${first}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'LAST_OPERATOR_KEY'])
    expect((await isolated.call('GET', '/v2/team/me')).status).toBe(200)
    await isolated.remove()
  })
})

describe('the overview', () => {
  it('shows running jobs, their teams and the health', async () => {
    const { team, key } = await newAccount('busy')
    const running = post('/v2/scrape', { url: `${site.url}/held`, maxAge: 0 }, { key })
    const overview = async () => (await own.call('GET', '/v2/operator/overview')).body.data
    await expect.poll(async () => (await overview()).slotsTaken).toBe(1)
    const current = await overview()
    expect(current).toMatchObject({
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      queue: { queued: {}, running: { scrape: 1 }, held: {} },
      teams: [{ id: team.id, name: 'busy', running: 1, concurrency: 3 }],
      health: {
        isReady: true,
        parts: { store: 'ok', blobs: 'ok', queue: 'ok', disk: 'ok', temporary: 'ok' },
      },
    })
    expect(current.storage.databaseBytes).toBeGreaterThan(10_000)
    // The size of a bucket is unknown.
    expect(typeof current.storage.blobBytes).toBe(own.environment.BLOBS_URL ? 'object' : 'number')
    expect(current.storage.freeBytes).toBeGreaterThan(10_000)
    released.resolve()
    expect((await running).status).toBe(200)
  })
})

describe('an operator route', () => {
  it('requires an operator key', async () => {
    const { key } = await newAccount('curious')
    const { status, body } = await own.call('GET', '/v2/operator/teams', { key })
    expect(status).toBe(403)
    expect(body).toMatchObject({
      code: 'OPERATOR_KEY_REQUIRED',
      error: expect.stringContaining('--operator'),
    })
    expect((await own.call('GET', '/v2/operator/teams', { key: null })).status).toBe(401)
  })

  it('is open with AUTH=off, for local callers only', async () => {
    const open = await startOwnService({ AUTH: 'off' })
    expect((await callAt(open.url, 'GET', '/v2/operator/teams', {})).status).toBe(200)
    expect((await callAt(open.url, 'GET', '/v2/team/me', {})).body.data).toMatchObject({
      keyHint: null,
      isOperator: true,
    })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const remote = await callAt(open.url, 'GET', '/v2/operator/teams', { headers })
    expect([remote.status, remote.body.code]).toEqual([403, 'OPERATOR_KEY_REQUIRED'])
    expect((await callAt(open.url, 'GET', '/v2/team/me', { headers })).body.data.isOperator).toBe(false)
    await open.remove()
  })
})
