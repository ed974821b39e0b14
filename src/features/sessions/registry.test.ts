import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteDatabase } from '../../adapters/database/sqlite.ts'
import { systemClock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import type { Ending } from '../../store/jobs.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import type { Admitted } from './admit.ts'
import type { SessionBrowser } from './browser.ts'
import { type RegistryNeeds, sessionRegistry } from './registry.ts'

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

/** A registry whose browsers are objects that only come and go. */
function scene(changes: Partial<RegistryNeeds['browsers']> = {}) {
  const endings: Ending[] = []
  const held = new Map<string, AbortController>()
  const registry = sessionRegistry({
    ...{ store, clock: systemClock, log: silentLog },
    // Sessions hold and release, and have a holder's name.
    holder: {
      id: 'me',
      hold(id: string) {
        const lease = new AbortController()
        held.set(id, lease)
        return lease.signal
      },
      release: (id: string) => void held.delete(id),
    } as RegistryNeeds['holder'],
    async recordEnding(_, ending) {
      endings.push(ending)
      return true
    },
    browsers: { check: async () => undefined, open: async () => fakeBrowser(), ...changes },
    // No session here has a profile.
    profiles: {} as RegistryNeeds['profiles'],
  })
  return { registry, endings, held }
}

function fakeBrowser(): SessionBrowser {
  const gone = Promise.withResolvers<'closed'>()
  // Nobody uses it.
  return { ended: gone.promise, close: async () => gone.resolve('closed') } as SessionBrowser
}

function admitted(id: string): Admitted {
  const now = Date.now()
  const session = { id, team_id: 'team', activity_ttl: 60, last_activity: now, expires_at: now + 60_000 }
  const rows = { job: { id, created_at: now, input: '{}' }, session: { ...session, profile_name: null } }
  // The rest of the rows is not looked at.
  return rows as Admitted
}

const nothing = async () => undefined

describe('the registry of sessions', () => {
  it('finds a session until its end is on record', async () => {
    const { registry, endings, held } = scene()
    const started = registry.start(admitted('one'), nothing)
    expect(registry.find('one')).toBe(started)
    expect(registry.open()).toBe(1)
    await started.ready
    await started.end('deleted')
    expect(endings).toMatchObject([{ id: 'one', holder: 'me', state: 'completed' }])
    expect(registry.find('one')).toBeUndefined()
    expect(held.size).toBe(0)
  })

  it('records nothing of a session that another process has taken over', async () => {
    const { registry, endings, held } = scene()
    const started = registry.start(admitted('one'), nothing)
    await started.ready
    held.get('one')?.abort()
    await started.end('deleted')
    expect(endings).toEqual([])
    expect(registry.open()).toBe(0)
  })

  it.each([
    [
      'as it is, where it says what is wrong',
      new AppError('BROWSER_NOT_CONFIGURED'),
      'BROWSER_NOT_CONFIGURED',
    ],
    ['as one of the session otherwise', new Error('no such file'), 'SESSION_FAILED'],
  ])('tells the failure of a browser %s', async (_, thrown, code) => {
    const { registry, endings } = scene({ open: () => Promise.reject(thrown) })
    await expect(registry.start(admitted('one'), nothing).ready).rejects.toMatchObject({ code })
    expect(endings).toMatchObject([{ state: 'failed', credits: 0, error: { code } }])
  })

  it('ends all sessions when it stops, and opens no more', async () => {
    const { registry, endings } = scene()
    await registry.start(admitted('one'), nothing).ready
    await registry.stop()
    expect(endings).toMatchObject([{ session: { reason: 'stopped' } }])
    await expect(registry.start(admitted('two'), nothing).ready).rejects.toMatchObject({ code: 'STOPPING' })
  })
})
