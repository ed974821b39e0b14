import { describe, expect, it } from 'vitest'
import type { Profiles } from '../../browser/profile/profiles.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { SessionBrowser } from './browser.ts'
import { sessionProfile } from './session-profile.ts'

/** A session with these columns, and what was asked of the profiles. */
function scene(columns: Pick<SessionRow, 'profile_name' | 'profile_save'>) {
  const asked: string[] = []
  const profiles: Profiles = {
    load: (_, name) => Promise.reject(new Error(`load ${name}`)),
    async lease(teamId, name, holder) {
      asked.push(`lease ${teamId} ${name} ${holder}`)
      return {
        save: async () => void asked.push('save'),
        giveBack: async () => void asked.push('give back'),
      }
    },
    list: () => Promise.resolve([]),
    forget: () => Promise.reject(),
  }
  // The rest of the row is not looked at.
  const session = { id: 'one', team_id: 'team', ...columns } as SessionRow
  return { profile: sessionProfile(profiles, session), asked }
}

// Nothing is asked of a browser that has no profile.
const browser = {} as SessionBrowser

describe('the profile of a session', () => {
  it('is leased in the name of the session that is to save it, and given back', async () => {
    const { profile, asked } = scene({ profile_name: 'shop', profile_save: 1 })
    await profile.lease()
    await profile.giveBack()
    expect(asked).toEqual(['lease team shop one', 'give back'])
  })

  it('is loaded, but neither leased nor saved by a session that only reads it', async () => {
    const { profile, asked } = scene({ profile_name: 'shop', profile_save: 0 })
    await profile.lease()
    await expect(profile.restore(browser)).rejects.toThrow('load shop')
    await profile.save(browser)
    await profile.giveBack()
    expect(asked).toEqual([])
  })

  it('is nothing where the session has none', async () => {
    const { profile, asked } = scene({ profile_name: null, profile_save: 1 })
    await profile.lease()
    await profile.restore(browser)
    await profile.save(browser)
    expect(asked).toEqual([])
  })
})
