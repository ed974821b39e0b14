import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Profiles } from '../../browser/profile/profiles.ts'
import { systemClock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { silentLog } from '../../platform/log.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import type { Ending, JobRow } from '../../store/jobs/jobs.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { AdmittedSession } from './admit.ts'
import type { SessionBrowser } from './browser.ts'
import { createSessionRegistry, type RegistryDeps, sessionEnding, sessionProfile } from './registry.ts'
import type { SessionEndResult } from './session-lifecycle.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-registry-'))
let store: Store
beforeAll(async () => {
  store = sqliteDatabase<Tables>(join(folder, 'winnow.sqlite'))
  await migrate(store)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Creates a registry with fake browsers that only start and close. */
function scene(changes: Partial<RegistryDeps['browsers']> = {}) {
  const endings: Ending[] = []
  const held = new Map<string, AbortController>()
  const registry = createSessionRegistry({
    ...{ store, clock: systemClock, log: silentLog },
    // Sessions use only these members.
    holder: {
      id: 'me',
      hold(id: string) {
        const lease = new AbortController()
        held.set(id, lease)
        return lease.signal
      },
      release: (id: string) => void held.delete(id),
    } as RegistryDeps['holder'],
    async recordEnding(_, ending) {
      endings.push(ending)
      return true
    },
    browsers: { check: async () => undefined, open: async () => fakeBrowser(), ...changes },
    // No session here has a profile.
    profiles: {} as RegistryDeps['profiles'],
  })
  return { registry, endings, held }
}

function fakeBrowser(): SessionBrowser {
  const closed = Promise.withResolvers<'closed'>()
  // No other members are used.
  return { ended: closed.promise, close: async () => closed.resolve('closed') } as SessionBrowser
}

function admitted(id: string): AdmittedSession {
  const now = Date.now()
  const session = { id, team_id: 'team', activity_ttl: 60, last_activity: now, expires_at: now + 60_000 }
  const rows = { job: { id, created_at: now, input: '{}' }, session: { ...session, profile_name: null } }
  // The other columns are not read.
  return rows as AdmittedSession
}

const noPreparation = async () => undefined

describe('createSessionRegistry', () => {
  it('finds a session until its end is recorded', async () => {
    const { registry, endings, held } = scene()
    const started = registry.start(admitted('one'), noPreparation)
    expect(registry.find('one')).toBe(started)
    expect(registry.countOpen()).toBe(1)
    await started.ready
    await started.end('deleted')
    expect(endings).toMatchObject([{ id: 'one', holder: 'me', state: 'completed' }])
    expect(registry.find('one')).toBeUndefined()
    expect(held.size).toBe(0)
  })

  it('records nothing for a session that another process has taken over', async () => {
    const { registry, endings, held } = scene()
    const started = registry.start(admitted('one'), noPreparation)
    await started.ready
    held.get('one')?.abort()
    await started.end('deleted')
    expect(endings).toEqual([])
    expect(registry.countOpen()).toBe(0)
  })

  it.each([
    [
      'as it is, where it says what is wrong',
      new AppError('BROWSER_NOT_CONFIGURED'),
      'BROWSER_NOT_CONFIGURED',
    ],
    ['as one of the session otherwise', new Error('no such file'), 'SESSION_FAILED'],
  ])('reports the failure of a browser %s', async (_, thrown, code) => {
    const { registry, endings } = scene({ open: () => Promise.reject(thrown) })
    await expect(registry.start(admitted('one'), noPreparation).ready).rejects.toMatchObject({ code })
    expect(endings).toMatchObject([{ state: 'failed', credits: 0, error: { code } }])
  })

  it('ends all sessions on stop, and opens no more', async () => {
    const { registry, endings } = scene()
    await registry.start(admitted('one'), noPreparation).ready
    await registry.stop()
    expect(endings).toMatchObject([{ session: { reason: 'stopped' } }])
    await expect(registry.start(admitted('two'), noPreparation).ready).rejects.toMatchObject({
      code: 'STOPPING',
    })
  })
})

const hour = 3_600_000
// The other columns are not read.
const job = { id: 'one', created_at: 1000, input: '{}' } as JobRow

function endingOf(changes: Partial<SessionEndResult>, usedPrompt = false) {
  const ended: SessionEndResult = {
    ...{ cause: 'deleted', at: 1000 + hour, lastActivity: 2000, error: undefined },
    ...changes,
  }
  return sessionEnding(job, ended, { holder: 'me', usedPrompt })
}

describe('sessionEnding', () => {
  it('is a completed job that is charged for its duration', () => {
    expect(endingOf({})).toMatchObject({
      ...{ id: 'one', holder: 'me', state: 'completed', now: 1000 + hour, error: undefined },
      session: { status: 'destroyed', reason: 'deleted', lastActivity: 2000, releasesScrape: false },
    })
  })

  it('costs more if a prompt was run', () => {
    expect(endingOf({}, true).credits).toBeGreaterThan(endingOf({}).credits)
  })

  it('is a failed job that is charged for its duration if the browser crashed', () => {
    const ending = endingOf({ cause: 'crashed' })
    expect(ending).toMatchObject({
      ...{
        state: 'failed',
        error: { code: 'SESSION_FAILED', detail: { phase: 'running', cause: 'crashed' } },
      },
      session: { status: 'error', reason: 'crashed', releasesScrape: false },
    })
    expect(ending.credits).toBe(endingOf({}).credits)
  })

  it('is free if the session was never usable, and the scrape may open another session', () => {
    const error = new AppError('REPLAY_UNAVAILABLE')
    expect(endingOf({ cause: 'failed', error })).toMatchObject({
      ...{ state: 'failed', credits: 0, error: { code: 'REPLAY_UNAVAILABLE' } },
      session: { status: 'error', reason: error.message, releasesScrape: true },
    })
  })
})

/** Creates the profile of a session with these columns, and records the calls. */
function profileScene(columns: Pick<SessionRow, 'profile_name' | 'profile_save'>) {
  const calls: string[] = []
  const profiles: Profiles = {
    load: (_, name) => Promise.reject(new Error(`load ${name}`)),
    async lease(teamId, name, holder) {
      calls.push(`lease ${teamId} ${name} ${holder}`)
      return {
        save: async () => void calls.push('save'),
        release: async () => void calls.push('give back'),
      }
    },
    list: () => Promise.resolve([]),
    delete: () => Promise.reject(),
  }
  // The other columns are not read.
  const session = { id: 'one', team_id: 'team', ...columns } as SessionRow
  return { profile: sessionProfile(profiles, session), asked: calls }
}

// A session without a profile does not use the browser.
const browser = {} as SessionBrowser

describe('sessionProfile', () => {
  it('acquires the lease with the id of the session, and releases it', async () => {
    const { profile, asked: calls } = profileScene({ profile_name: 'shop', profile_save: 1 })
    await profile.lease()
    await profile.release()
    expect(calls).toEqual(['lease team shop one', 'give back'])
  })

  it('loads without a lease if saveChanges is false', async () => {
    const { profile, asked: calls } = profileScene({ profile_name: 'shop', profile_save: 0 })
    await profile.lease()
    await expect(profile.restore(browser)).rejects.toThrow('load shop')
    await profile.save(browser)
    await profile.release()
    expect(calls).toEqual([])
  })

  it('does nothing without a profile', async () => {
    const { profile, asked: calls } = profileScene({ profile_name: null, profile_save: 1 })
    await profile.lease()
    await profile.restore(browser)
    await profile.save(browser)
    expect(calls).toEqual([])
  })
})
