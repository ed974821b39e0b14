import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteDatabase } from '../../adapters/database/sqlite.ts'
import { PeerGone } from '../../network/peer.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import { type HomeNeeds, sessionHome } from './home.ts'
import { peerTokens } from './peer-tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-home-'))
let store: Store
beforeAll(async () => {
  store = sqliteDatabase<Tables>(join(folder, 'winnow.sqlite'))
  await migrate(store)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A process where one session lives; other processes are lost in the middle of every call. */
function scene() {
  const ended: string[] = []
  const living = { end: async (cause: string) => void ended.push(cause) }
  const needs = {
    ...{ store, holder: { id: 'me' }, agent: undefined },
    registry: { find: (id: string) => (id === 'one' ? living : undefined) },
    peers: { post: () => Promise.reject(new PeerGone()), close: async () => undefined },
  }
  // Nothing else is asked of the holder, the registry and the session.
  return { home: sessionHome(needs as unknown as HomeNeeds), ended }
}

const signal = new AbortController().signal
const at = (holder: string, id = 'one') => ({ id, holder, home: `http://${holder}` })

describe('the home of a session', () => {
  it('is asked here when it is here', async () => {
    const { home, ended } = scene()
    expect(await home.ask(at('me'), 'end', {}, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
  })

  it('is gone when this process should have it and does not', async () => {
    const { home } = scene()
    const asked = home.ask(at('me', 'two'), 'end', {}, signal)
    await expect(asked).rejects.toMatchObject({ code: 'SESSION_DESTROYED' })
  })

  it('says that a call was interrupted when another process is lost, unless its caller has gone', async () => {
    const { home } = scene()
    const asked = home.ask(at('other'), 'end', {}, signal)
    await expect(asked).rejects.toMatchObject({ code: 'JOB_INTERRUPTED' })
    const left = home.ask(at('other'), 'end', {}, AbortSignal.abort())
    await expect(left).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })

  it('serves those who know the token of this very process, and calls that there are', async () => {
    const { home, ended } = scene()
    const { tokenFor } = peerTokens({ store, holder: { id: 'other' } })
    const call = { id: 'one', name: 'end', input: {}, token: await tokenFor('me') }
    expect(await home.serve(call, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
    const refused = { code: 'UNAUTHORIZED' }
    for (const wrong of [
      { token: await tokenFor('other') },
      { token: '' },
      { name: 'shell' },
      { name: 'toString' },
    ])
      await expect(home.serve({ ...call, ...wrong }, signal)).rejects.toMatchObject(refused)
  })
})
