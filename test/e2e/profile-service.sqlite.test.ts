import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { logIn } from '../site/routes/account.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const account = (options: object) => ({ url: `${site.url}/account`, onlyMainContent: false, ...options })
const outcome = ({ status, body }: Answer) => ({ status, code: body.code })

describe('profiles of a service', () => {
  let own: OwnService
  beforeAll(async () => {
    own = await startOwnService({ PROFILE_KEY: 'k'.repeat(32) })
  })
  afterAll(() => own.remove())

  const visitAt = (service: OwnService, name: string, options: object = {}, key = service.key) =>
    service.call('POST', '/v2/scrape', { key, body: account({ profile: { name }, ...options }) })
  const readOnly = (name: string) => ({ profile: { name, saveChanges: false } })

  it('are listed per team by name, with the time of their last change', async () => {
    const [ownKey, otherKey] = [await own.newTeam(), await own.newTeam()]
    for (const name of ['second', 'first']) await visitAt(own, name, { actions: logIn }, ownKey)
    const listProfiles = async (key: string, endpoint = 'browser') =>
      (await own.call('GET', `/v2/${endpoint}/profiles`, { key })).body.profiles
    const saved = { savedAt: expect.stringMatching(/^\d{4}-/), inUse: false }
    const expected = [
      { name: 'first', ...saved },
      { name: 'second', ...saved },
    ]
    expect(await listProfiles(ownKey)).toEqual(expected)
    expect(await listProfiles(ownKey, 'interact')).toEqual(expected)
    expect(await listProfiles(otherKey)).toEqual([])
    await own.call('DELETE', '/v2/browser/profiles/first', { key: ownKey })
    expect(await listProfiles(ownKey)).toEqual(expected.slice(1))
  })

  it('are separate for teams that use the same name, also for deletion', async () => {
    const otherKey = await own.newTeam()
    await visitAt(own, 'same', { actions: logIn })
    const otherTeam = await visitAt(own, 'same', {}, otherKey)
    expect(otherTeam.body.data.markdown).not.toContain('Logged in')
    await own.call('DELETE', '/v2/browser/profiles/same', { key: otherKey })
    expect((await visitAt(own, 'same')).body.data.markdown).toContain('Logged in as Ada.')
  })

  it('are loaded but not saved under zero retention', async () => {
    const created = await runCommand(['key', 'create', '--team', 'forgetful'], own.environment)
    const key = created.stdout.split('\n')[0] ?? ''
    await visitAt(own, 'before', { actions: logIn }, key)
    await runCommand(['key', 'set', '--team', 'forgetful', '--zero-retention', 'on'], own.environment)
    const options = { zeroDataRetention: true, ...readOnly('before') }
    // The permissions of a key are cached for a second.
    const visit = async () => (await visitAt(own, 'before', options, key)).body.data?.markdown
    await expect.poll(visit).toContain('Logged in as Ada.')
  })

  it('survive a kill of the process, even while a profile is in use', async () => {
    await visitAt(own, 'in use', { actions: logIn })
    const hitsBefore = site.hits('/account')
    const interrupted = visitAt(own, 'in use', { actions: [{ type: 'wait', milliseconds: 20_000 }] }).catch(
      () => undefined,
    )
    await expect.poll(() => site.hits('/account'), { timeout: 30_000 }).toBe(hitsBefore + 1)
    await own.kill()
    await interrupted
    own = await own.again()
    const { body } = await visitAt(own, 'in use', readOnly('in use'))
    expect(body.data.markdown).toContain('Logged in as Ada.')
  })

  it('cannot be read with another encryption key, but can be deleted', async () => {
    await visitAt(own, 'sealed', { actions: logIn })
    await own.stop()
    own = await own.again({ PROFILE_KEY: 'l'.repeat(32) })
    const unreadable = { status: 500, code: 'PROFILE_UNREADABLE' }
    expect(outcome(await visitAt(own, 'sealed', readOnly('sealed')))).toEqual(unreadable)
    expect((await own.call('DELETE', '/v2/browser/profiles/sealed')).status).toBe(200)
    expect((await visitAt(own, 'sealed', readOnly('sealed'))).status).toBe(200)
  })
})
