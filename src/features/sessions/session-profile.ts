import { emptyState, readState, restoreState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import type { SessionRow } from '../../store/sessions.ts'
import { contextOf, type SessionBrowser } from './browser.ts'

/** The profile of a session, if it has one, and the right to save it, if it is to. */
export function sessionProfile(profiles: Profiles, session: SessionRow) {
  const { team_id: teamId, profile_name: name } = session
  let right: ProfileLease | undefined
  return {
    /** Takes the right to save. */
    async lease(): Promise<void> {
      if (name === null || session.profile_save === 0) return
      right = await profiles.lease(teamId, name, session.id)
    },
    async restore(browser: SessionBrowser): Promise<void> {
      if (name === null) return
      const state = await profiles.load(teamId, name)
      // Also where nothing was saved yet: from here on it is noted which sites are to be saved.
      await restoreState(await contextOf(browser), state ?? emptyState)
    },
    async save(browser: SessionBrowser): Promise<void> {
      await right?.save(await readState(await contextOf(browser)))
    },
    async giveBack(): Promise<void> {
      await right?.giveBack()
    },
  }
}
