import { AppError } from '../../platform/errors.ts'
import { digest } from '../../platform/text.ts'

export interface ConnectionOwner {
  team: string
  job: string
}

/** Some sites authenticate connections, not requests (NTLM): only one job with the same credentials shares one. */
export function poolKey(
  { team, job }: ConnectionOwner,
  { headers = {}, cookies = [], url }: Credentials = {},
): string {
  const isAnonymous =
    Object.keys(headers).length === 0 && cookies.length === 0 && !url?.username && !url?.password
  const parts = [Object.entries(headers).toSorted(), cookies, url?.username, url?.password]
  return JSON.stringify([team, job, isAnonymous ? '' : digest([JSON.stringify(parts)])])
}

interface Credentials {
  headers?: Record<string, string>
  cookies?: readonly object[] | undefined
  url?: URL
}

export interface OpenPool<Value> {
  value: Value
  close(): unknown
}

interface Entry<Value> {
  pool: Promise<OpenPool<Value>>
  users: number
  idle: NodeJS.Timeout | undefined
}

/** The least recently used pool is closed first; the running jobs bound the number of those in use. */
export function createConnectionPools<Value>({ maxPools, idleMs } = { maxPools: 256, idleMs: 5000 }) {
  type Open = () => OpenPool<Value> | Promise<OpenPool<Value>>

  const entries = new Map<string, Entry<Value>>()
  let isClosed = false

  async function dispose(key: string, entry: Entry<Value>): Promise<void> {
    clearTimeout(entry.idle)
    if (entries.get(key) === entry) entries.delete(key)
    const pool = await entry.pool.catch(() => undefined)
    await pool?.close()
  }

  function acquire(key: string, open: Open): Entry<Value> {
    // Asynchronous, so that an exception becomes a rejection.
    const entry = entries.get(key) ?? { pool: (async () => open())(), users: 0, idle: undefined }
    clearTimeout(entry.idle)
    entry.users += 1
    entries.delete(key)
    entries.set(key, entry)
    for (const [name, other] of entries) {
      if (entries.size <= maxPools) break
      if (other.users === 0) void dispose(name, other)
    }
    return entry
  }

  function release(key: string, entry: Entry<Value>): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (entries.get(key) !== entry) return void dispose(key, entry)
    entry.idle = setTimeout(() => void dispose(key, entry), idleMs).unref()
  }

  return {
    async use<Result>(key: string, open: Open, work: (value: Value) => Promise<Result>): Promise<Result> {
      if (isClosed) throw new AppError('STOPPING')
      const entry = acquire(key, open)
      try {
        return await work((await entry.pool).value)
      } catch (thrown) {
        // A pool that could not be opened must not fail the next request too.
        await entry.pool.catch(() => entries.get(key) === entry && entries.delete(key))
        throw thrown
      } finally {
        release(key, entry)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => dispose(key, entry)))
    },
  }
}
