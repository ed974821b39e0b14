import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import { createProfiles } from './profiles.ts'

afterEach(endJobScenes)

/** Saves a profile state and loads it again. */
async function saveAndLoad(state: object) {
  const { deps } = await jobScene()
  const profiles = createProfiles({ ...deps, key: undefined })
  const lease = await profiles.lease('team', 'shop', 'job')
  // The cast covers states that another version or an operator has written.
  await lease.save(state as Parameters<typeof lease.save>[0])
  await lease.release()
  return profiles.load('team', 'shop')
}

const cookie = {
  ...{ name: 'a', value: '1', domain: 'site.example', path: '/', expires: -1 },
  ...{ httpOnly: true, secure: true, sameSite: 'Lax' },
}
const origin = { origin: 'https://site.example', localStorage: [{ name: 'theme', value: 'dark' }] }

describe('a saved state', () => {
  it('is loaded with all properties, including unknown ones', async () => {
    const state = {
      cookies: [{ ...cookie, partitionKey: 'https://top.example' }],
      origins: [{ ...origin, indexedDB: [{ name: 'shop', version: 3, stores: [] }] }],
      later: true,
    }
    expect(await saveAndLoad(state)).toEqual(state)
  })

  it.each([
    ['no object', ['cookies']],
    ['without origins', { cookies: [] }],
    ['with a cookie that is none', { cookies: [{ ...cookie, expires: 'never' }], origins: [] }],
  ])('is unreadable if it is %s', async (_, state) => {
    await expect(saveAndLoad(state)).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
  })
})
