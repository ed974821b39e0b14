import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import { createProfiles } from './profiles.ts'

afterEach(endJobScenes)

/** Saves something as the state of a profile, and loads it again. */
async function throughTheStore(state: object) {
  const { deps } = await jobScene()
  const profiles = createProfiles({ ...deps, key: undefined })
  const lease = await profiles.lease('team', 'shop', 'job')
  // What a profile holds may have been written by another version, or by hand.
  await lease.save(state as Parameters<typeof lease.save>[0])
  await lease.giveBack()
  return profiles.load('team', 'shop')
}

const cookie = {
  ...{ name: 'a', value: '1', domain: 'site.example', path: '/', expires: -1 },
  ...{ httpOnly: true, secure: true, sameSite: 'Lax' },
}
const origin = { origin: 'https://site.example', localStorage: [{ name: 'theme', value: 'dark' }] }

describe('a saved state', () => {
  it('comes back with all that the driver wrote, also what is its own', async () => {
    const state = {
      cookies: [{ ...cookie, partitionKey: 'https://top.example' }],
      origins: [{ ...origin, indexedDB: [{ name: 'shop', version: 3, stores: [] }] }],
      later: true,
    }
    expect(await throughTheStore(state)).toEqual(state)
  })

  it.each([
    ['no object', ['cookies']],
    ['without origins', { cookies: [] }],
    ['with a cookie that is none', { cookies: [{ ...cookie, expires: 'never' }], origins: [] }],
  ])('is unreadable where it is %s', async (_, state) => {
    await expect(throughTheStore(state)).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
  })
})
