import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/ports/database.ts'
import { splitOnce } from '../../platform/text.ts'
import { isPostgresError, retryingConnections } from './postgres-client.ts'

// Times and counts are bigint columns and fit a number; without this they would arrive as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Distributed: several processes share one PostgreSQL. */
export function postgresDatabase<Tables>(
  url: string,
  log: Log,
  { maxQueryMs } = { maxQueryMs: 15_000 },
): Database<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: maxMsToConnect,
    // A server that hangs must not block callers.
    query_timeout: maxQueryMs,
  })
  pool.on('error', (cause) => log.warn({ cause }, 'an idle database connection was lost'))
  // Also for a connection in use: between two queries nothing else handles the event, and the process would exit.
  const lost = (cause: unknown) => log.debug({ cause }, 'a database connection was lost while in use')
  pool.on(
    'connect',
    listener((client: pg.PoolClient) => client.on('error', lost), lost),
  )
  const query = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { ...pool, connect: retryingConnections(pool), end: () => pool.end() },
    }),
  })
  const wakes = listenForWakes(url, log, () => notify('roll-call', ''))
  const outgoing = new Set<string>()
  async function send(): Promise<void> {
    const messages = [...outgoing]
    outgoing.clear()
    try {
      await sql`select pg_notify('winnow', message) from unnest(${messages}::text[]) as message`.execute(
        query,
      )
    } catch (cause) {
      log.warn({ cause }, 'a wake-up was not sent')
    }
  }
  function notify(channel: string, message: string): void {
    // Many jobs submitted in one turn make one message: PostgreSQL serialises commits that notify.
    if (outgoing.size === 0) setImmediate(send)
    outgoing.add(`${channel} ${message}`)
  }
  const topics = topicsOver({ hear: wakes.hear, notify })
  return {
    dialect: 'postgres',
    isShared: true,
    query,
    transaction: (work) => again(() => query.transaction().execute(work)),
    // Not `for update`: that would also block transactions that only refer to the row.
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
    listen: wakes.on,
    notify,
    async subscribe(topic, heard) {
      wakes.open()
      return topics.subscribe(topic, heard)
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
      await wakes.close()
      await query.destroy()
    },
  }
}

const maxMsToConnect = 10_000
const maxAttempts = 8

/** PostgreSQL may roll back a transaction to resolve a deadlock and expects it to be repeated. */
async function again<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (thrown) {
      if (!isPostgresError(thrown, '40P01', '40001') || attempt === maxAttempts) throw thrown
      // Both sides restart, so they must not do so at the same moment.
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** A separate connection that listens, and reconnects when it is lost. */
function listenForWakes(url: string, log: Log, connected: () => void) {
  const wakes = new EventEmitter().setMaxListeners(0)
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  async function connect(): Promise<void> {
    client = new pg.Client({ connectionString: url, keepAlive: true })
    client.on('error', (cause) => lost(cause))
    client.on('end', () => lost(undefined))
    const wake = ({ payload }: pg.Notification) => {
      const [channel = '', message = ''] = splitOnce(payload ?? '')
      wakes.emit(channel, message)
    }
    client.on(
      'notification',
      listener(wake, (cause) => log.error({ cause }, 'a wake-up could not be passed on')),
    )
    try {
      await client.connect()
      await client.query('listen winnow')
      connected()
    } catch (cause) {
      lost(cause)
    }
  }
  function lost(cause: unknown): void {
    if (isClosed || retry) return
    log.warn({ cause }, 'the wake-up connection to the database was lost; trying again')
    retry = setTimeout(() => {
      retry = undefined
      connect()
    }, 500)
  }
  const hear = (channel: string, heard: (message: string) => void) => {
    wakes.on(channel, heard)
    return () => void wakes.off(channel, heard)
  }
  const open = () => {
    if (!client) connect()
  }
  return {
    /** Without a connection of its own: commands that run next to the service do not listen. */
    hear,
    open,
    on(channel: string, heard: (message: string) => void) {
      open()
      return hear(channel, heard)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch((cause) => log.debug({ cause }, 'the wake-up connection was gone already'))
    },
  }
}

interface TopicDeps {
  hear(channel: string, heard: (message: string) => void): void
  notify(channel: string, message: string): void
}

/** Subscribers say again and again that they are there: one whose process has died is forgotten after a while. */
const announceEvery = 20_000
const wantedFor = 60_000
/** The announcement comes back to its sender by the way that it takes to everybody else. */
const longestWait = 2000

/**
 * Messages for those who want them, over the channel that wakes processes. Each process knows which topics somebody
 * listens to anywhere, so that the others cost nothing.
 */
function topicsOver({ hear, notify }: TopicDeps) {
  const local = new EventEmitter().setMaxListeners(0)
  const wanted = new Map<string, number>()
  const own = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const announce = () => {
    for (const topic of own.keys()) notify('wanted', topic)
  }
  hear('topic', (payload) => {
    const [topic, message] = splitOnce(payload)
    local.emit(`message ${topic}`, message)
  })
  hear('wanted', (topic) => {
    const now = performance.now()
    for (const [known, until] of wanted) if (until < now) wanted.delete(known)
    wanted.set(topic, now + wantedFor)
    local.emit(`wanted ${topic}`)
  })
  // A process that has just begun to listen asks who is there.
  hear('roll-call', announce)

  function leave(topic: string): void {
    const rest = (own.get(topic) ?? 1) - 1
    if (rest > 0) own.set(topic, rest)
    else own.delete(topic)
    if (own.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    async subscribe(topic: string, heard: (message: string) => void): Promise<() => void> {
      local.on(`message ${topic}`, heard)
      own.set(topic, (own.get(topic) ?? 0) + 1)
      timer ??= setInterval(announce, announceEvery).unref()
      const known = Promise.withResolvers<void>()
      local.once(`wanted ${topic}`, known.resolve)
      const late = setTimeout(known.resolve, longestWait)
      notify('wanted', topic)
      await known.promise
      clearTimeout(late)
      local.off(`wanted ${topic}`, known.resolve)
      return () => {
        local.off(`message ${topic}`, heard)
        leave(topic)
      }
    },
    publish(topic: string, message: () => string): void {
      if ((wanted.get(topic) ?? 0) > performance.now()) notify('topic', `${topic} ${message()}`)
    },
    close: () => clearInterval(timer),
  }
}
