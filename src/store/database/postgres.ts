import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/ports/database.ts'
import { splitOnce } from '../../platform/text.ts'
import { isPostgresError, retryingConnections } from './postgres-client.ts'

// Times and counts are bigint columns and fit a number; by default, they would arrive as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export function postgresDatabase<Tables>(
  url: string,
  log: Log,
  { maxQueryMs } = { maxQueryMs: 15_000 },
): Database<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: maxConnectMs,
    // A server that hangs must not block callers.
    query_timeout: maxQueryMs,
  })
  pool.on('error', (cause) => log.warn({ cause }, 'an idle database connection was lost'))
  // Between two queries nothing else handles this event of a connection in use, and the process would exit.
  const logLoss = (cause: unknown) => log.debug({ cause }, 'a database connection was lost while in use')
  const watchLoss = (client: pg.PoolClient) => client.on('error', logLoss)
  pool.on('connect', listener(watchLoss, logLoss))
  const query = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { ...pool, connect: retryingConnections(pool), end: () => pool.end() },
    }),
  })
  const notifications = listenForNotifications(url, log, () => notify('roll-call', ''))
  const pendingMessages = new Set<string>()
  async function sendNotifications(): Promise<void> {
    const messages = [...pendingMessages]
    pendingMessages.clear()
    try {
      const statement = sql`select pg_notify('winnow', message) from unnest(${messages}::text[]) as message`
      await statement.execute(query)
    } catch (cause) {
      log.warn({ cause }, 'a wake-up was not sent')
    }
  }
  function notify(channel: string, message: string): void {
    // Many jobs submitted in one tick cause one statement, because PostgreSQL serialises commits that notify.
    if (pendingMessages.size === 0) setImmediate(sendNotifications)
    pendingMessages.add(`${channel} ${message}`)
  }
  const topics = createTopics(notifications.addListener, notify)
  return {
    dialect: 'postgres',
    isShared: true,
    query,
    transaction: (work) => withRetries(() => query.transaction().execute(work)),
    // `for update` would also block transactions that only reference the row.
    skipLocked: (select) => select.forNoKeyUpdate().skipLocked(),
    lock: (select) => select.forNoKeyUpdate(),
    async lockName(transaction, name) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
    },
    async tryLockName(transaction, name) {
      const { rows } = await sql<{ got: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as got`.execute(transaction)
      return rows[0]?.got === true
    },
    listen: notifications.on,
    notify,
    async subscribe(topic, handler) {
      notifications.open()
      return topics.subscribe(topic, handler)
    },
    publish: topics.publish,
    async time() {
      const { rows } = await sql<{ now: number }>`
        select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(query)
      return rows[0]?.now ?? Date.now()
    },
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) as bytes`.execute(query)
      return rows[0]?.bytes ?? 0
    },
    async close() {
      topics.close()
      await notifications.close()
      await query.destroy()
    },
  }
}

const maxConnectMs = 10_000
const maxAttempts = 8

/** Repeats a transaction that PostgreSQL has rolled back to resolve a deadlock. */
async function withRetries<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (thrown) {
      if (!isPostgresError(thrown, '40P01', '40001') || attempt === maxAttempts) throw thrown
      // Both transactions restart, so a random delay separates them.
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

function listenForNotifications(url: string, log: Log, onConnected: () => void) {
  const emitter = new EventEmitter().setMaxListeners(0)
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  async function connect(): Promise<void> {
    client = new pg.Client({ connectionString: url, keepAlive: true })
    client.on('error', (cause) => handleLoss(cause))
    client.on('end', () => handleLoss(undefined))
    const handleNotification = ({ payload }: pg.Notification) => {
      const [channel = '', message = ''] = splitOnce(payload ?? '')
      emitter.emit(channel, message)
    }
    const logFailure = (cause: unknown) => log.error({ cause }, 'a wake-up could not be passed on')
    client.on('notification', listener(handleNotification, logFailure))
    try {
      await client.connect()
      await client.query('listen winnow')
      onConnected()
    } catch (cause) {
      handleLoss(cause)
    }
  }
  function handleLoss(cause: unknown): void {
    if (isClosed || retry) return
    log.warn({ cause }, 'the wake-up connection to the database was lost; trying again')
    retry = setTimeout(() => {
      retry = undefined
      connect()
    }, 500)
  }
  const addListener = (channel: string, handler: (message: string) => void) => {
    emitter.on(channel, handler)
    return () => void emitter.off(channel, handler)
  }
  const open = () => {
    if (!client) connect()
  }
  return {
    /** Adds a listener without opening a connection, because commands that run next to the service need none. */
    addListener,
    open,
    on(channel: string, handler: (message: string) => void) {
      open()
      return addListener(channel, handler)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch((cause) => log.debug({ cause }, 'the wake-up connection was gone already'))
    },
  }
}

/** Subscribers send heartbeats; a subscriber that misses them is removed. */
const announceIntervalMs = 20_000
const subscriptionMs = 60_000
/** Maximum time to wait until the announcement returns to its sender, on the same path as to all other processes. */
const maxWaitMs = 2000

/** Each process tracks the topics with a subscriber in any process, so that other topics cost nothing. */
function createTopics(
  listen: (channel: string, handler: (message: string) => void) => void,
  notify: (channel: string, message: string) => void,
) {
  const local = new EventEmitter().setMaxListeners(0)
  const subscribedUntil = new Map<string, number>()
  const localCounts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const announce = () => {
    for (const topic of localCounts.keys()) notify('wanted', topic)
  }
  listen('topic', (payload) => {
    const [topic, message] = splitOnce(payload)
    local.emit(`message ${topic}`, message)
  })
  listen('wanted', (topic) => {
    const now = performance.now()
    for (const [other, until] of subscribedUntil) if (until < now) subscribedUntil.delete(other)
    subscribedUntil.set(topic, now + subscriptionMs)
    local.emit(`wanted ${topic}`)
  })
  // A process that has just begun to listen requests an announcement.
  listen('roll-call', announce)

  function unsubscribe(topic: string): void {
    const remaining = (localCounts.get(topic) ?? 1) - 1
    if (remaining > 0) localCounts.set(topic, remaining)
    else localCounts.delete(topic)
    if (localCounts.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    async subscribe(topic: string, handler: (message: string) => void): Promise<() => void> {
      local.on(`message ${topic}`, handler)
      localCounts.set(topic, (localCounts.get(topic) ?? 0) + 1)
      timer ??= setInterval(announce, announceIntervalMs).unref()
      const announced = Promise.withResolvers<void>()
      local.once(`wanted ${topic}`, announced.resolve)
      const timeout = setTimeout(announced.resolve, maxWaitMs)
      notify('wanted', topic)
      await announced.promise
      clearTimeout(timeout)
      local.off(`wanted ${topic}`, announced.resolve)
      return () => {
        local.off(`message ${topic}`, handler)
        unsubscribe(topic)
      }
    },
    publish(topic: string, message: () => string): void {
      if ((subscribedUntil.get(topic) ?? 0) > performance.now()) notify('topic', `${topic} ${message()}`)
    },
    close: () => clearInterval(timer),
  }
}
