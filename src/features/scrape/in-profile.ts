import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { StorageState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import type { FetchPlan } from '../../engine/fetch-plan.ts'
import type { RunningJob } from '../../jobs/job.ts'
import type { Document } from './schema.ts'
import type { Scraped } from './walk.ts'

interface ProfileUse {
  job: Pick<RunningJob<unknown>, 'id' | 'teamId'>
  deadline: Deadline
  name: string
  saveChanges: boolean
}

type Work = (profile: FetchPlan['profile']) => Promise<Scraped & { state: StorageState | undefined }>

/** Does the work in the browser storage of a profile, which is saved when all of it went well. */
export async function inProfile(
  profiles: Profiles,
  { job, deadline, name, saveChanges }: ProfileUse,
  work: Work,
): Promise<Scraped> {
  // Before the state is read: what another has just saved must not be lost.
  const lease = saveChanges ? await profiles.lease(job.teamId, name, job.id) : undefined
  try {
    const saved = await deadline.during('profile', () => profiles.load(job.teamId, name))
    const { state, ...scraped } = await work({ state: saved, isSaved: saveChanges })
    const { outcome } = scraped
    if (!lease || !state || !('result' in outcome)) return scraped
    const warning = await deadline.during('profile', () => saveOrSay(lease, state))
    if (warning === undefined) return scraped
    return { ...scraped, outcome: { ...outcome, result: warned(outcome.result, warning) } }
  } finally {
    await lease?.giveBack()
  }
}

/** The page is there: that its storage is too large is a warning. That it was not saved for any other reason is an error. */
async function saveOrSay(lease: ProfileLease, state: StorageState): Promise<string | undefined> {
  try {
    await lease.save(state)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PROFILE_TOO_LARGE') return thrown.message
    throw thrown
  }
}

function warned(document: Document, warning: string): Document {
  const { warning: before } = document
  return { ...document, warning: before === undefined ? warning : `${before} ${warning}` }
}
