import { z } from 'zod'
import { blobName, sumOf } from '../../platform/blob-name.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, isDamaged } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import type { Blobs } from '../../platform/ports/blobs.ts'
import {
  announceBlob,
  emptyProfile,
  endProfileLease,
  findProfile,
  listProfiles,
  type ProfileKey,
  renewProfileLease,
  switchBlob,
  takeProfileLease,
} from '../../store/profiles.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'
import { decryptState, encryptState, type StateKey } from './encrypt-state.ts'
import type { StorageState } from './profile-state.ts'

interface ListedProfile {
  name: string
  /** Undefined: its first saver is still at it. */
  savedAt: number | undefined
  hasSaver: boolean
}

interface ProfileDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  /** PROFILE_KEY, if set. */
  key: string | undefined
}

const maxListed = 1000

const heartbeat = 10_000
/** A dead saver blocks others for this long, and a busy one may miss three renewals. */
const leaseTime = 45_000

export function createProfiles(deps: ProfileDeps) {
  const { store, blobs } = deps
  const keys = stateKeys(deps)

  return {
    /** Saved state, or undefined when nothing was saved. */
    async load(teamId: string, name: string): Promise<StorageState | undefined> {
      const key = { teamId, name }
      let row = await findProfile(store.query, key)
      while (row?.blob) {
        const bytes = await blobs.get(row.blob).catch(unreadableIfDamaged)
        if (bytes) return openOr(bytes, key, await keys())
        const { blob } = row
        row = await findProfile(store.query, key)
        // It was replaced during the read, so the new one must exist. If not, the state is lost.
        if (row?.blob === blob) throw new AppError('PROFILE_UNREADABLE', { phase: 'load' })
      }
      return undefined
    },

    /** Permission to save: PROFILE_IN_USE while another holds it. Renewed until released. */
    async lease(teamId: string, name: string, holder: string) {
      const key = { teamId, name }
      return holdLease(deps, { key, leaseId: await take(deps, key, holder), keys })
    },

    /** The first thousand of a team, by name. */
    async list(teamId: string): Promise<ListedProfile[]> {
      const now = deps.clock.now()
      const rows = await listProfiles(store.query, { teamId, now, limit: maxListed })
      return rows.map((row) => ({
        name: row.name,
        savedAt: row.saved_at ?? undefined,
        hasSaver: row.lease_until > now,
      }))
    },

    /** Removes the saved state, if any: PROFILE_IN_USE while there is a saver. */
    async forget(teamId: string, name: string): Promise<void> {
      const key = { teamId, name }
      const leaseId = await take(deps, key, 'a deletion')
      let isGone = false
      try {
        const row = await findProfile(store.query, key)
        if (row?.spare_blob) await blobs.delete(row.spare_blob)
        isGone = await emptyProfile(store, key, leaseId)
        if (isGone && row?.blob) await blobs.delete(row.blob)
      } catch (thrown) {
        isGone = false
        throw thrown
      } finally {
        await endProfileLease(store, key, { id: leaseId, isGone })
      }
    },
  }
}

export type Profiles = ReturnType<typeof createProfiles>

async function take({ store, clock }: ProfileDeps, key: ProfileKey, holder: string): Promise<string> {
  const id = newId()
  const now = clock.now()
  const isOurs = await takeProfileLease(store.query, key, { id, holder, until: now + leaseTime, now })
  if (isOurs) return id
  const row = await findProfile(store.query, key)
  throw new AppError('PROFILE_IN_USE', row?.holder ? { heldBy: row.holder } : {})
}

function holdLease(
  deps: ProfileDeps,
  { key, leaseId, keys }: { key: ProfileKey; leaseId: string; keys: () => Promise<StateKey[]> },
) {
  const { store, blobs, clock, log } = deps
  const renew = async () => {
    const isOurs = await renewProfileLease(store.query, key, { id: leaseId, until: clock.now() + leaseTime })
    if (!isOurs) clearInterval(timer)
  }
  const timer = setInterval(() => {
    renew().catch((cause) => log.warn({ cause }, 'the lease of a profile could not be renewed'))
  }, heartbeat).unref()

  /** A failure to delete the old bytes does not affect the new ones. */
  const discard = async (blob: string | null) => {
    if (blob === null) return
    await blobs
      .delete(blob)
      .catch((cause) => log.warn({ cause }, 'an old state of a profile could not be removed'))
  }
  const write = async (state: StorageState) => {
    const [newest] = await keys()
    if (!newest) throw new Error('There is always a key: one of the store is made when none is set.')
    const sealed = await encryptState(state, key, newest)
    const start = `profiles/${newId()}`
    const blob = blobName(start, await sumOf(sealed))
    const announced = await announceBlob(store, key, { leaseId, blob })
    if (!announced) throw lost()
    await discard(announced.unused)
    await blobs.put(start, sealed)
    const switched = await switchBlob(store, key, { leaseId, blob, now: clock.now() })
    await discard(switched ? switched.unused : blob)
    if (!switched) throw lost()
  }

  // One after the other: a second one would remove what the first is about to switch to.
  const inOrder = limitConcurrency(1)
  return {
    /** Replaces the saved state atomically. PROFILE_IN_USE if the lease expired and another saver has the profile. */
    save: (state: StorageState) => inOrder(() => write(state)),

    async giveBack(): Promise<void> {
      clearInterval(timer)
      // If the store does not answer, the lease expires; the call that held it already has its result.
      await endProfileLease(store, key, { id: leaseId, isGone: false }).catch((cause) =>
        log.warn({ cause }, 'the lease of a profile could not be released'),
      )
    },
  }
}

function lost(): AppError {
  const message = 'The profile was not saved: another session has taken it over, or it was deleted.'
  return new AppError('PROFILE_IN_USE', { phase: 'save' }, { message })
}

export type ProfileLease = ReturnType<typeof holdLease>

/** The newest first: new states are sealed with it, older ones open with the one they name. */
function stateKeys({ store, key }: ProfileDeps): () => Promise<StateKey[]> {
  let known: Promise<StateKey[]> | undefined
  const read = async (): Promise<StateKey[]> => {
    const own = { source: 'store' as const, secret: await installationSecret(store.query, 'profiles') }
    return key === undefined ? [own] : [{ source: 'setting', secret: key }, own]
  }
  return () => {
    known ??= read().catch((thrown) => {
      known = undefined
      throw thrown
    })
    return known
  }
}

function unreadableIfDamaged(cause: unknown): never {
  throw isDamaged(cause) ? new AppError('PROFILE_UNREADABLE', { phase: 'load' }, { cause }) : cause
}

async function openOr(bytes: Uint8Array, owner: ProfileKey, keys: StateKey[]): Promise<StorageState> {
  const { success, data } = savedState.safeParse(await decryptState(bytes, owner, keys))
  if (!success) throw new AppError('PROFILE_UNREADABLE', { phase: 'load' })
  return data
}

/** A state that was saved. What the driver adds to its parts, such as databases, is its own. */
const savedState = z.looseObject({
  cookies: z.array(
    z.looseObject({
      ...{ name: z.string(), value: z.string(), domain: z.string(), path: z.string() },
      ...{ expires: z.number(), httpOnly: z.boolean(), secure: z.boolean() },
      sameSite: z.enum(['Strict', 'Lax', 'None']),
    }),
  ),
  origins: z.array(
    z.looseObject({
      origin: z.string(),
      localStorage: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    }),
  ),
}) satisfies z.ZodType<StorageState>
