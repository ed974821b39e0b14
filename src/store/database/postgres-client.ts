import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { codeOf, storeUnavailable } from '../../platform/errors.ts'
import { toStorableText } from '../../platform/text.ts'

interface SqlState {
  /** Reason for callers, who get 503. Undefined if the statement is wrong and would fail again: a bug. */
  outage?: string
  /** True if the connection must be closed instead of returned to the pool. */
  discard?: true
  /** True if other connections of the pool, opened at the same time or earlier, have the same problem. */
  discardOlder?: true
}

/** States of the server, not of a statement. A code is looked up first, then its class (two characters). */
const sqlStates: Record<string, SqlState> = {
  // 08: the connection is broken, or a pooler between the service and the server cannot reach the server.
  '08': { outage: 'the connection to the database was lost', discard: true },
  // A pooler reports its own failures (no server, login failed) as a violation of the protocol.
  '08P01': { outage: 'the connection to the database was lost', discard: true },

  // 25: our statements are in the wrong order, which is a bug. The connection may still be in a transaction.
  '25': { discard: true },
  // The server is a standby, or an operator has forbidden writes. Connections from before a failover stay read-only.
  '25006': { outage: 'the database is read-only', discard: true, discardOlder: true },
  // The server closes the connection. This process was paused inside a transaction; a retry succeeds.
  '25P03': { outage: 'the database ended a transaction that was idle', discard: true },
  '25P04': { outage: 'the database ended a transaction that took too long', discard: true },

  // 53: the server lacks a resource. Statements succeed again when it is available.
  '53': { outage: 'the database server lacks resources' },
  '53100': { outage: 'the disk of the database server is full' },
  // The server frees the memory of the backend when its connection ends.
  '53200': { outage: 'the database server lacks memory', discard: true },
  '53300': { outage: 'the database server has no connection left' },
  // The statement exceeds a limit of an operator (temp_file_limit), so a retry would exceed it again.
  '53400': {},

  // 55: an object is not in the state that the statement needs, for example to change the schema: a bug.
  '55': {},
  // The server reports this when connecting to a database that an operator has closed (ALLOW_CONNECTIONS false).
  '55000': { outage: 'the database does not accept connections', discard: true },
  // Another session locks the object: a DROP DATABASE, a restore from a template.
  '55006': { outage: 'the database is in use by an administrative command', discard: true },
  // An operator has set lock_timeout. The transaction that holds the lock ends soon.
  '55P03': { outage: 'the database could not lock a row in time' },

  // 57: an operator or the server itself intervenes. The server closes the connection.
  '57': { outage: 'the database server is stopping or starting', discard: true },
  // pg_cancel_backend, or a statement_timeout of the operator under load. The connection stays usable.
  '57014': { outage: 'the database cancelled the statement' },
  '57P03': { outage: 'the database server is starting', discard: true },
  // The database was dropped. A retry succeeds after it is restored.
  '57P04': { outage: 'the database was dropped', discard: true },
  '57P05': { outage: 'the connection to the database was idle for too long', discard: true },

  // 58: the operating system of the server reports an error, mostly of its disk.
  '58': { outage: 'the disk of the database server reports an error', discard: true },
}

const maxConnectMs = 10_000

/** Retries while the server has no free connection or is starting, because other calls soon release connections. */
export function retryingConnections(pool: pg.Pool): () => Promise<PostgresPoolClient> {
  const opened = new WeakMap<pg.PoolClient, number>()
  let generation = 0
  // Once per generation of connections: connections that fail at the same time must not discard their successors.
  const discardOlder = (client: pg.PoolClient) => () => {
    if (opened.get(client) === generation) generation += 1
  }
  return async () => {
    const deadline = performance.now() + maxConnectMs
    for (;;) {
      try {
        const client = await pool.connect()
        if (!opened.has(client)) opened.set(client, generation)
        if (opened.get(client) === generation) return wrapClient(client, discardOlder(client))
        client.release(true)
      } catch (thrown) {
        const isTemporary = isPostgresError(thrown, '53300', '57P03')
        if (!isTemporary || performance.now() > deadline) throw toStoreError(thrown)
        await sleep(20 + Math.random() * 80)
      }
    }
  }
}

function wrapClient(client: pg.PoolClient, discardOlder: () => void): PostgresPoolClient {
  let loss: Error | undefined
  const query = async (text: string, values?: unknown[]) => {
    try {
      return await client.query(text, values?.map(toStorableText))
    } catch (thrown) {
      const failure = findFailure(thrown)
      if (failure?.discard) loss ??= thrown as Error
      if (failure?.discardOlder) discardOlder()
      // The error that caused the rollback is more useful than the lost connection.
      if (loss && text === 'rollback') return { command: 'ROLLBACK', rows: [], rowCount: 0 }
      throw toStoreError(thrown)
    }
  }
  // Kysely only uses queries with text and values, and reads complete results.
  return { query, release: () => client.release(loss) } as unknown as PostgresPoolClient
}

export function isPostgresError(thrown: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(thrown))
}

function toStoreError(thrown: unknown): unknown {
  const reason = findFailure(thrown)?.outage
  if (reason === undefined) return thrown
  return storeUnavailable({ part: 'database', reason, retryAfter: 2 }, thrown)
}

const unreachable: SqlState = { outage: 'the database server does not answer', discard: true }
const systemCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
])
/** Errors of the client itself have no code, so they are identified by their texts. */
const clientErrorTexts =
  /^(Connection terminated|Client has encountered|timeout e|Query read timeout|Cannot use a pool after)/

function findFailure(thrown: unknown): SqlState | undefined {
  if (!(thrown instanceof Error)) return undefined
  const code = codeOf(thrown)
  if (systemCodes.has(code) || clientErrorTexts.test(thrown.message)) return unreachable
  return /^[0-9A-Z]{5}$/.test(code) ? (sqlStates[code] ?? sqlStates[code.slice(0, 2)]) : undefined
}
