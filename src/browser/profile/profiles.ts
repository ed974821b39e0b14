import { z } from 'zod'
import { blobName, computeBlobSum } from '../../platform/blob-name.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, isDamaged } from '../../platform/errors.ts'
import { bestEffort } from '../../platform/functions.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import type { Blobs } from '../../platform/ports/blobs.ts'
import {
  activateBlob,
  emptyProfile,
  endProfileLease,
  findProfile,
  listProfiles,
  type ProfileKey,
  recordNextBlob,
  renewProfileLease,
  takeProfileLease,
} from '../../store/profiles.ts'
import type { Store } from '../../store/schema.ts'
import { getInstallationSecret } from '../../store/secrets.ts'
import { decryptState, encryptState, type StateKey } from './encrypt-state.ts'
import type { StorageState } from './profile-state.ts'

interface ProfileDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  key: string | undefined
}

const maxListedProfiles = 1000

const renewIntervalMs = 10_000
/** A holder that crashed blocks others for this time, and a busy holder may miss three renewals. */
const leaseMs = 45_000

export function createProfiles(deps: ProfileDeps) {
  const { store, blobs } = deps
  const keys = createKeyLoader(deps)

  return {
    async load(teamId: string, name: string): Promise<StorageState | undefined> {
      const key = { teamId, name }
      let row = await findProfile(store.query, key)
      while (row?.blob) {
        const bytes = await blobs.get(row.blob).catch(throwReadError)
        if (bytes) return decryptOrThrow(bytes, key, await keys())
        const { blob } = row
        row = await findProfile(store.query, key)
        // If the profile was saved during the read, it now names another blob. If not, the state is lost.
        if (row?.blob === blob) throw new AppError('PROFILE_UNREADABLE', { phase: 'load' })
      }
      return undefined
    },

    /** Acquires and renews the permission to save. Throws PROFILE_IN_USE while another holder has it. */
    async lease(teamId: string, name: string, holder: string) {
      const key = { teamId, name }
      return holdLease(deps, { key, leaseId: await acquireLease(deps, key, holder), keys })
    },

    async list(teamId: string) {
      const now = deps.clock.now()
      const rows = await listProfiles(store.query, { teamId, now, limit: maxListedProfiles })
      return rows.map((row) => ({
        name: row.name,
        savedAt: row.saved_at ?? undefined,
        isInUse: row.lease_until > now,
      }))
    },

    async delete(teamId: string, name: string): Promise<void> {
      const key = { teamId, name }
      const leaseId = await acquireLease(deps, key, 'a deletion')
      let isGone = false
      try {
        const row = await findProfile(store.query, key)
        if (row?.spare_blob) await blobs.delete(row.spare_blob)
        const isEmptied = await emptyProfile(store, key, leaseId)
        if (isEmptied && row?.blob) await blobs.delete(row.blob)
        isGone = isEmptied
      } finally {
        await endProfileLease(store, key, { id: leaseId, isGone })
      }
    },
  }
}

export type Profiles = ReturnType<typeof createProfiles>

async function acquireLease({ store, clock }: ProfileDeps, key: ProfileKey, holder: string): Promise<string> {
  const id = newId()
  const now = clock.now()
  const isAcquired = await takeProfileLease(store.query, key, { id, holder, until: now + leaseMs, now })
  if (isAcquired) return id
  const row = await findProfile(store.query, key)
  throw new AppError('PROFILE_IN_USE', row?.holder ? { heldBy: row.holder } : {})
}

function holdLease(
  deps: ProfileDeps,
  { key, leaseId, keys }: { key: ProfileKey; leaseId: string; keys: () => Promise<StateKey[]> },
) {
  const { store, blobs, clock, log } = deps
  const renew = async () => {
    const isRenewed = await renewProfileLease(store.query, key, { id: leaseId, until: clock.now() + leaseMs })
    if (!isRenewed) clearInterval(timer)
  }
  const timer = setInterval(() => {
    renew().catch((cause) => log.warn({ cause }, 'the lease of a profile could not be renewed'))
  }, renewIntervalMs).unref()

  const discard = async (blob: string | null) =>
    blob && bestEffort(log, 'an old state of a profile could not be removed', () => blobs.delete(blob))
  const write = async (state: StorageState) => {
    const [first] = await keys()
    if (!first) throw new Error('There is always a key: one of the store is made when none is set.')
    const encrypted = await encryptState(state, key, first)
    const start = `profiles/${newId()}`
    const blob = blobName(start, await computeBlobSum(encrypted))
    const announced = await recordNextBlob(store, key, { leaseId, blob })
    if (!announced) throw leaseLostError()
    await discard(announced.unused)
    await blobs.put(start, encrypted)
    const switched = await activateBlob(store, key, { leaseId, blob, now: clock.now() })
    await discard(switched ? switched.unused : blob)
    if (!switched) throw leaseLostError()
  }

  // Saves run sequentially: a concurrent save would delete the blob that the first save is about to switch to.
  const runSequentially = limitConcurrency(1)
  return {
    save: (state: StorageState) => runSequentially(() => write(state)),

    async release(): Promise<void> {
      clearInterval(timer)
      await endProfileLease(store, key, { id: leaseId, isGone: false }).catch((cause) =>
        log.warn({ cause }, 'the lease of a profile could not be released'),
      )
    },
  }
}

function leaseLostError(): AppError {
  const message = 'The profile was not saved: another session has taken it over, or it was deleted.'
  return new AppError('PROFILE_IN_USE', { phase: 'save' }, { message })
}

export type ProfileLease = ReturnType<typeof holdLease>

/** New states are encrypted with the first key: that of the setting, if any. Each state names its source. */
function createKeyLoader({ store, key }: ProfileDeps): () => Promise<StateKey[]> {
  let cachedKeys: Promise<StateKey[]> | undefined
  const read = async (): Promise<StateKey[]> => {
    const secret = await getInstallationSecret(store.query, 'profiles')
    const settingKeys: StateKey[] = key === undefined ? [] : [{ source: 'setting', secret: key }]
    return [...settingKeys, { source: 'store', secret }]
  }
  return () => {
    cachedKeys ??= read().catch((thrown) => {
      cachedKeys = undefined
      throw thrown
    })
    return cachedKeys
  }
}

function throwReadError(cause: unknown): never {
  throw isDamaged(cause) ? new AppError('PROFILE_UNREADABLE', { phase: 'load' }, { cause }) : cause
}

async function decryptOrThrow(bytes: Uint8Array, owner: ProfileKey, keys: StateKey[]): Promise<StorageState> {
  const { success, data } = savedState.safeParse(await decryptState(bytes, owner, keys))
  if (!success) throw new AppError('PROFILE_UNREADABLE', { phase: 'load' })
  return data
}

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
