import type { Log } from '../platform/log.ts'
import { findActiveKeyIds } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'

export type KeyWatch = ReturnType<typeof createKeyWatch>

/** A connection must end within one second after its key is revoked, so there are two checks per second. */
const checkIntervalMs = 500
const idsPerStatement = 500

/** Polls for all connections at once, because the command that revokes a key runs in another process. */
export function createKeyWatch({ store, log }: { store: Store; log: Log }) {
  const watchers = new Map<string, Set<() => void>>()
  // Keys of new connections: the cache of the authenticator may have accepted a key that is already revoked.
  const unchecked = new Set<string>()
  let isRunning = false
  let lastFullCheck = 0
  let wake = () => {}

  async function run(): Promise<void> {
    isRunning = true
    while (watchers.size > 0) {
      await check(dueIds()).catch((cause) => log.warn({ cause }, 'revoked keys could not be looked up'))
      if (unchecked.size === 0) await pause()
    }
    isRunning = false
  }

  /** New connections cannot delay the full check. */
  function dueIds(): string[] {
    const now = performance.now()
    const isFull = unchecked.size === 0 || now - lastFullCheck >= checkIntervalMs
    if (isFull) lastFullCheck = now
    const ids = [...(isFull ? watchers.keys() : unchecked)]
    unchecked.clear()
    return ids
  }

  async function check(ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += idsPerStatement) {
      const batch = ids.slice(start, start + idsPerStatement)
      const activeIds = new Set(await findActiveKeyIds(store.query, batch))
      for (const id of batch) if (!activeIds.has(id)) notifyRevoked(id)
    }
  }

  function notifyRevoked(keyId: string): void {
    const callbacks = watchers.get(keyId) ?? []
    watchers.delete(keyId)
    for (const onRevoked of callbacks) onRevoked()
  }

  async function pause(): Promise<void> {
    const pauseEnd = Promise.withResolvers<void>()
    wake = pauseEnd.resolve
    const timer = setTimeout(pauseEnd.resolve, checkIntervalMs).unref()
    await pauseEnd.promise
    clearTimeout(timer)
  }

  return {
    /** `keyId` is null with AUTH=off. Returns a function that ends the watch. */
    watch(keyId: string | null, onRevoked: () => void): () => void {
      if (keyId === null) return () => {}
      const callbacks = watchers.get(keyId) ?? new Set()
      watchers.set(keyId, callbacks.add(onRevoked))
      unchecked.add(keyId)
      wake()
      if (!isRunning) run()
      return () => {
        callbacks.delete(onRevoked)
        if (callbacks.size === 0 && watchers.get(keyId) === callbacks) watchers.delete(keyId)
      }
    },
  }
}
