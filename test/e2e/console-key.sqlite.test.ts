import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { silentLog } from '../../src/platform/log.ts'
import { type Answer, callAt, type OwnService, startOwnService } from '../api.ts'

/** Without API_KEY, the first start creates a key and its file. */
const startWithFile = (changes: Record<string, string> = {}) => startOwnService({ API_KEY: '', ...changes })

const linkOf = ({ output }: OwnService) => /http:\S+\/console\/#code=\S+/.exec(output())?.[0]
const codeOf = (own: OwnService) => linkOf(own)?.split('#code=')[1] ?? ''

const exchangeCode = (own: OwnService, code: string, headers = {}): Promise<Answer> =>
  callAt(own.url, 'POST', '/v2/console/key', { body: { code }, headers })

const keyFileOf = (own: OwnService) => join(own.environment.DATA_DIR ?? '', 'api-key')

it('the login code of each start can be exchanged once for the operator key', async () => {
  const own = await startWithFile()
  expect(linkOf(own)).toMatch(new RegExp(`^${own.url}/console/#code=[\\w-]{32}$`))
  const wrong = await exchangeCode(own, 'x'.repeat(32))
  expect([wrong.status, wrong.body.code]).toEqual([403, 'CONSOLE_CODE_INVALID'])
  const exchanges = await Promise.all([exchangeCode(own, codeOf(own)), exchangeCode(own, codeOf(own))])
  expect(exchanges.map(({ status }) => status).toSorted()).toEqual([200, 403])
  const key = exchanges.find(({ status }) => status === 200)?.body.key
  expect(key).toBe(readFileSync(keyFileOf(own), 'utf8').trim())
  const me = (await callAt(own.url, 'GET', '/v2/team/me', { key })).body.data
  expect(me).toMatchObject({ isOperator: true, team: { name: 'default' } })
  expect((await exchangeCode(own, codeOf(own))).body.code).toBe('CONSOLE_CODE_INVALID')

  await own.stop()
  // Keys of earlier versions are not operator keys yet.
  const { store } = await openStore(readSettings(own.environment), silentLog)
  await store.query.updateTable('keys').set({ is_operator: 0 }).execute()
  await store.close()
  const next = await own.again()
  expect(codeOf(next)).not.toBe(codeOf(own))
  const keyAfterRestart = (await exchangeCode(next, codeOf(next))).body.key
  expect((await callAt(next.url, 'GET', '/v2/operator/teams', { key: keyAfterRestart })).status).toBe(200)
  await next.remove()
})

it('the login code is rejected for remote callers, other sites, too many guesses, and a file without a valid key', async () => {
  const own = await startWithFile()
  const code = codeOf(own)
  const remote = await exchangeCode(own, code, { 'x-forwarded-for': '203.0.113.9' })
  expect([remote.status, remote.body.code]).toEqual([403, 'LOCAL_CALL_REQUIRED'])
  const otherSite = await exchangeCode(own, code, { origin: 'https://evil.example' })
  expect([otherSite.status, otherSite.body.code]).toEqual([403, 'ORIGIN_FORBIDDEN'])
  const sameOrigin = await exchangeCode(own, 'wrong', { origin: own.url })
  expect(sameOrigin.status).toBe(403)
  expect(sameOrigin.headers.get('access-control-allow-origin')).toBeNull()
  writeFileSync(keyFileOf(own), 'fc-of-another-installation\n')
  const unknown = await exchangeCode(own, code)
  expect([unknown.status, unknown.body.code]).toEqual([404, 'CONSOLE_KEY_NOT_FOUND'])
  const guesses: Answer[] = []
  for (let index = 0; index < 14; index += 1) guesses.push(await exchangeCode(own, `guess ${index}`))
  const rateLimited = guesses.filter(({ status }) => status === 429)
  expect(rateLimited.length).toBeGreaterThan(0)
  expect(rateLimited[0]?.body.code).toBe('RATE_LIMITED')
  expect(Number(rateLimited[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  await own.remove()
})

it('the login link is printed only if the service has a key file and a local URL', async () => {
  const withKey = await startOwnService()
  expect(withKey.output()).toContain('listens on')
  expect(linkOf(withKey)).toBeUndefined()
  await withKey.remove()
  const onAllInterfaces = await startWithFile({ HOST: '0.0.0.0' })
  expect(linkOf(onAllInterfaces)).toBeUndefined()
  await onAllInterfaces.remove()
  const behindProxy = await startWithFile({ PUBLIC_URL: 'https://winnow.example' })
  expect(linkOf(behindProxy)).toBeUndefined()
  await behindProxy.remove()
})
