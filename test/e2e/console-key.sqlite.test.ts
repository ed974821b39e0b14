import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { silentLog } from '../../src/platform/log.ts'
import { type Answer, callAt, type OwnService, startOwnService } from '../api.ts'

/** Without API_KEY the first start makes a key and its file. */
const startWithFile = (changes: Record<string, string> = {}) => startOwnService({ API_KEY: '', ...changes })

const linkOf = ({ output }: OwnService) => /http:\S+\/console\/#code=\S+/.exec(output())?.[0]
const codeOf = (own: OwnService) => linkOf(own)?.split('#code=')[1] ?? ''

const change = (own: OwnService, code: string, headers = {}): Promise<Answer> =>
  callAt(own.url, 'POST', '/v2/console/key', { body: { code }, headers })

const fileOf = (own: OwnService) => join(own.environment.DATA_DIR ?? '', 'api-key')

it('is given once for the code of the link that each start prints, and is an operator’s', async () => {
  const own = await startWithFile()
  expect(linkOf(own)).toMatch(new RegExp(`^${own.url}/console/#code=[\\w-]{32}$`))
  const wrong = await change(own, 'x'.repeat(32))
  expect([wrong.status, wrong.body.code]).toEqual([403, 'CONSOLE_CODE_INVALID'])
  const both = await Promise.all([change(own, codeOf(own)), change(own, codeOf(own))])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
  const key = both.find(({ status }) => status === 200)?.body.key
  expect(key).toBe(readFileSync(fileOf(own), 'utf8').trim())
  const me = (await callAt(own.url, 'GET', '/v2/team/me', { key })).body.data
  expect(me).toMatchObject({ isOperator: true, team: { name: 'default' } })
  expect((await change(own, codeOf(own))).body.code).toBe('CONSOLE_CODE_INVALID')

  await own.stop()
  // Keys that an earlier version has made are not an operator's yet.
  const { store } = await openStore(readSettings(own.environment), silentLog)
  await store.query.updateTable('keys').set({ is_operator: 0 }).execute()
  await store.close()
  const next = await own.again()
  expect(codeOf(next)).not.toBe(codeOf(own))
  const later = (await change(next, codeOf(next))).body.key
  expect((await callAt(next.url, 'GET', '/v2/operator/teams', { key: later })).status).toBe(200)
  await next.remove()
})

it('is kept from other machines, other sites and those who guess, and is not given if its file has no valid key', async () => {
  const own = await startWithFile()
  const code = codeOf(own)
  const far = await change(own, code, { 'x-forwarded-for': '203.0.113.9' })
  expect([far.status, far.body.code]).toEqual([403, 'LOCAL_CALL_REQUIRED'])
  const site = await change(own, code, { origin: 'https://evil.example' })
  expect([site.status, site.body.code]).toEqual([403, 'ORIGIN_FORBIDDEN'])
  const ours = await change(own, 'wrong', { origin: own.url })
  expect(ours.status).toBe(403)
  expect(ours.headers.get('access-control-allow-origin')).toBeNull()
  writeFileSync(fileOf(own), 'fc-of-another-installation\n')
  const unknown = await change(own, code)
  expect([unknown.status, unknown.body.code]).toEqual([404, 'CONSOLE_KEY_NOT_FOUND'])
  const guesses: Answer[] = []
  for (let index = 0; index < 14; index += 1) guesses.push(await change(own, `guess ${index}`))
  const refused = guesses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body.code).toBe('RATE_LIMITED')
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  await own.remove()
})

it('is offered only where there is a file, at an address of this machine', async () => {
  const given = await startOwnService()
  expect(given.output()).toContain('listens on')
  expect(linkOf(given)).toBeUndefined()
  await given.remove()
  const everywhere = await startWithFile({ HOST: '0.0.0.0' })
  expect(linkOf(everywhere)).toBeUndefined()
  await everywhere.remove()
  const behindProxy = await startWithFile({ PUBLIC_URL: 'https://winnow.example' })
  expect(linkOf(behindProxy)).toBeUndefined()
  await behindProxy.remove()
})
