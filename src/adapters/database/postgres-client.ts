import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { storeUnavailable } from '../../base/store-unavailable.ts'
import { findSqlState, type SqlState } from './sqlstates.ts'
import { toStorableText } from './storable-text.ts'

const patience = 10_000

/**
 * A pool client that distinguishes an unavailable server from a wrong query, and that is discarded when its
 * connection breaks. A server that has no connection left, or is just starting, reports that immediately. Other processes and
 * other calls of this one soon release theirs, so the call retries instead of failing.
 */
export function patientConnections(pool: pg.Pool): () => Promise<PostgresPoolClient> {
  const opened = new WeakMap<pg.PoolClient, number>()
  let generation = 0
  // Once for all connections of a generation: those that fail at the same time must not discard their successors.
  const discardOlder = (client: pg.PoolClient) => () => {
    if (opened.get(client) === generation) generation += 1
  }
  return async () => {
    const ends = performance.now() + patience
    for (;;) {
      try {
        const client = await pool.connect()
        if (!opened.has(client)) opened.set(client, generation)
        if (opened.get(client) === generation) return tellingClient(client, discardOlder(client))
        client.release(true)
      } catch (thrown) {
        const isFull = isPostgresError(thrown, '53300', '57P03')
        if (!isFull || performance.now() > ends) throw told(thrown)
        await sleep(20 + Math.random() * 80)
      }
    }
  }
}

function tellingClient(client: pg.PoolClient, discardOlder: () => void): PostgresPoolClient {
  let loss: Error | undefined
  const query = async (text: string, values?: unknown[]) => {
    try {
      return await client.query(text, values?.map(toStorableText))
    } catch (thrown) {
      const failure = failureOf(thrown)
      if (failure?.discard) loss ??= thrown as Error
      if (failure?.discardOlder) discardOlder()
      // The error that caused the rollback says more than the lost connection.
      if (loss && text === 'rollback') return { command: 'ROLLBACK', rows: [], rowCount: 0 }
      throw told(thrown)
    }
  }
  // Kysely only uses queries with text and values, and reads whole results.
  return { query, release: () => client.release(loss) } as unknown as PostgresPoolClient
}

export function isPostgresError(thrown: unknown, ...codes: string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code))
}

function told(thrown: unknown): unknown {
  const reason = failureOf(thrown)?.outage
  if (reason === undefined) return thrown
  return storeUnavailable({ part: 'database', reason, retryAfter: 2 }, thrown)
}

const unreachable: SqlState = { outage: 'the database server does not answer', discard: true }
const systemCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
])
/** Errors of the client itself have no code. */
const texts =
  /^(Connection terminated|Client has encountered|timeout e|Query read timeout|Cannot use a pool after)/

function failureOf(thrown: unknown): SqlState | undefined {
  if (!(thrown instanceof Error)) return undefined
  const code = 'code' in thrown ? String(thrown.code) : ''
  return systemCodes.has(code) || texts.test(thrown.message) ? unreachable : findSqlState(code)
}
