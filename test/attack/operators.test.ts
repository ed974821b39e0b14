import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../src/bootstrap/server.ts'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { attackClass } from './attack.ts'

/** A team without operator rights tries to read and change another team. */
let own: OwnService
let attackerKey = ''
const victim = { name: 'a-team-nobody-else-should-know', id: '', keyId: '', key: '' }

beforeAll(async () => {
  own = await startOwnService()
  attackerKey = await own.newTeam()
  const team = await own.call('POST', '/v2/operator/teams', { body: { name: victim.name, credits: 7 } })
  victim.id = team.body.data.id
  const createdKey = await own.call('POST', '/v2/operator/keys', { body: { teamId: victim.id } })
  Object.assign(victim, { keyId: createdKey.body.data.id, key: createdKey.body.key })
})
afterAll(() => own.remove())

const operatorRoutes = endpoints.filter(({ path }) => path.startsWith('/v2/operator/'))

/** Bodies that would do harm if the service accepted them. */
const bodies: Record<string, () => Json> = {
  '/v2/operator/teams': () => ({ name: 'made by nobody', unlimited: true }),
  '/v2/operator/teams/{id}': () => ({ unlimited: true, concurrency: 100, webhookSecret: 'new' }),
  '/v2/operator/keys': () => ({ teamId: victim.id, operator: true }),
}

const variants: Record<string, () => { path: (path: string) => string; headers: Record<string, string> }> = {
  plain: () => ({ path: (path) => path, headers: {} }),
  'a slash more': () => ({ path: (path) => `${path}/`, headers: {} }),
  'other ids in the query': () => ({
    path: (path) => `${path}?operator=true&teamId=${victim.id}`,
    headers: {},
  }),
  'from this machine, it says': () => ({
    path: (path) => path,
    headers: { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' },
  }),
  'another method in a header': () => ({
    path: (path) => path,
    headers: { 'x-http-method-override': 'GET', 'x-original-url': '/v2/team/me' },
  }),
}

attackClass<{ method: string; path: string; way: string }>({
  name: 'operators: every operator route with the key of a team',
  vectors: operatorRoutes.flatMap(({ method, path }) =>
    Object.keys(variants).map((way) => ({ method, path, way })),
  ),
  run: async ({ method, path, way }) => {
    const variant = variants[way]?.()
    const id = path.includes('/keys/') ? victim.keyId : victim.id
    const fullPath = variant?.path(path.replace('{id}', id)) ?? path
    const { status, body } = await callAt(own.url, method, fullPath, {
      key: attackerKey,
      body: method === 'POST' ? bodies[path]?.() : undefined,
      headers: variant?.headers ?? {},
    })
    const isShown = JSON.stringify(body).includes(victim.name)
    return status === 403 && body.code === 'OPERATOR_KEY_REQUIRED' && !isShown
      ? undefined
      : `answered ${status} ${JSON.stringify(body).slice(0, 200)}`
  },
})

it('withstands operators: every operator route requires an operator key', () => {
  expect(operatorRoutes.length).toBeGreaterThanOrEqual(7)
  expect(operatorRoutes.filter(({ access }) => access !== 'operator')).toEqual([])
})

it('withstands operators: the other team is unchanged', async () => {
  const { data: teams } = (await own.call('GET', '/v2/operator/teams')).body
  expect(teams.map(({ name }: Json) => name)).not.toContain('made by nobody')
  const team = teams.find(({ id }: Json) => id === victim.id)
  expect(team).toMatchObject({ balance: 7, hasDefaultConcurrency: true, signsWebhooks: false, keys: 1 })
  expect((await own.call('GET', '/v2/team/me', { key: victim.key })).status).toBe(200)
})

it("withstands operators: usage and identity contain only the caller's own team", async () => {
  const identity = (await own.call('GET', `/v2/team/me?teamId=${victim.id}`, { key: attackerKey })).body
  expect(JSON.stringify(identity)).not.toContain(victim.id)
  const usage = `/v2/team/usage?teamId=${victim.id}&days=90`
  const days: Json[] = (await own.call('GET', usage, { key: attackerKey })).body.data
  expect(days.filter(({ credits, calls }) => credits !== 0 || calls !== 0)).toEqual([])
})
