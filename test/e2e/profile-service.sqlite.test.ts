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
  const reading = (name: string) => ({ profile: { name, saveChanges: false } })

  it('are listed by name with when they were saved, each team its own', async () => {
    const [mine, other] = [await own.newTeam(), await own.newTeam()]
    for (const name of ['second', 'first']) await visitAt(own, name, { actions: logIn }, mine)
    const listed = async (key: string, part = 'browser') =>
      (await own.call('GET', `/v2/${part}/profiles`, { key })).body.profiles
    const saved = { savedAt: expect.stringMatching(/^\d{4}-/), inUse: false }
    const both = [
      { name: 'first', ...saved },
      { name: 'second', ...saved },
    ]
    expect(await listed(mine)).toEqual(both)
    expect(await listed(mine, 'interact')).toEqual(both)
    expect(await listed(other)).toEqual([])
    await own.call('DELETE', '/v2/browser/profiles/first', { key: mine })
    expect(await listed(mine)).toEqual(both.slice(1))
  })

  it('are separate for teams that use the same name, and for deletion too', async () => {
    const other = await own.newTeam()
    await visitAt(own, 'same', { actions: logIn })
    const theirs = await visitAt(own, 'same', {}, other)
    expect(theirs.body.data.markdown).not.toContain('Logged in')
    await own.call('DELETE', '/v2/browser/profiles/same', { key: other })
    expect((await visitAt(own, 'same')).body.data.markdown).toContain('Logged in as Ada.')
  })

  it('load and save nothing under zero retention but what was there', async () => {
    const made = await runCommand(['key', 'create', '--team', 'forgetful'], own.environment)
    const key = made.stdout.split('\n')[0] ?? ''
    await visitAt(own, 'before', { actions: logIn }, key)
    await runCommand(['key', 'set', '--team', 'forgetful', '--zero-retention', 'on'], own.environment)
    const options = { zeroDataRetention: true, ...reading('before') }
    // What a key may do is remembered for a second.
    const visit = async () => (await visitAt(own, 'before', options, key)).body.data?.markdown
    await expect.poll(visit).toContain('Logged in as Ada.')
  })

  it('survive the end of the process, also while one of them is in use', async () => {
    await visitAt(own, 'in use', { actions: logIn })
    const hits = site.hits('/account')
    const lost = visitAt(own, 'in use', { actions: [{ type: 'wait', milliseconds: 20_000 }] }).catch(
      () => undefined,
    )
    await expect.poll(() => site.hits('/account'), { timeout: 30_000 }).toBe(hits + 1)
    await own.kill()
    await lost
    own = await own.again()
    const { body } = await visitAt(own, 'in use', reading('in use'))
    expect(body.data.markdown).toContain('Logged in as Ada.')
  })

  it('are not read with another key, and can be deleted all the same', async () => {
    await visitAt(own, 'sealed', { actions: logIn })
    await own.stop()
    own = await own.again({ PROFILE_KEY: 'l'.repeat(32) })
    const unreadable = { status: 500, code: 'PROFILE_UNREADABLE' }
    expect(outcome(await visitAt(own, 'sealed', reading('sealed')))).toEqual(unreadable)
    expect((await own.call('DELETE', '/v2/browser/profiles/sealed')).status).toBe(200)
    expect((await visitAt(own, 'sealed', reading('sealed'))).status).toBe(200)
  })
})
