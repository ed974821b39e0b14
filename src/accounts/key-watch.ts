import type { Log } from '../platform/log.ts'
import { findActiveKeyIds } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'

export interface KeyWatch {
  /**
   * Calls back once if the key is revoked, in this process or another one. Returns a function that ends the watch. Calls without
   * a key (AUTH=off) have no id, and nothing can be revoked for them.
   */
  watch(keyId: string | null, onRevoked: () => void): () => void
}

/** Two checks fit into the second within which a connection ends. */
const checkIntervalMs = 500
const idsPerStatement = 500

/**
 * Notifies connections that stay open if their key is revoked. One query per interval covers the keys of all connections of this
 * process. A wake-up between processes would not suffice: the command that revokes a key is not a part of the service.
 */
export function createKeyWatch({ store, log }: { store: Store; log: Log }): KeyWatch {
  const watchers = new Map<string, Set<() => void>>()
  // Keys of new connections: the cache of the authenticator may have let in a key that is revoked already.
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

  /** All keys if the interval is over, however many connections open meanwhile; else those of new connections. */
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
      const part = ids.slice(start, start + idsPerStatement)
      const live = new Set(await findActiveKeyIds(store.query, part))
      for (const id of part) if (!live.has(id)) end(id)
    }
  }

  function end(keyId: string): void {
    const callbacks = watchers.get(keyId) ?? []
    watchers.delete(keyId)
    for (const onRevoked of callbacks) onRevoked()
  }

  async function pause(): Promise<void> {
    const over = Promise.withResolvers<void>()
    wake = over.resolve
    const timer = setTimeout(over.resolve, checkIntervalMs).unref()
    await over.promise
    clearTimeout(timer)
  }

  return {
    watch(keyId, onRevoked) {
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
