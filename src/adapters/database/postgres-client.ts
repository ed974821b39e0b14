import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { AppError } from '../../base/errors.ts'
import { toStorableText } from './storable-text.ts'

const patience = 10_000

/**
 * A pool client that distinguishes an unavailable server from a wrong query, and that is discarded when its
 * connection breaks. A server that has no connection left, or is just starting, reports that immediately. Other processes and
 * other calls of this one soon release theirs, so the call retries instead of failing.
 */
export async function connectPatiently(pool: pg.Pool): Promise<PostgresPoolClient> {
  const ends = performance.now() + patience
  for (;;) {
    try {
      return tellingClient(await pool.connect())
    } catch (thrown) {
      const isFull = isPostgresError(thrown, '53300', '57P03')
      if (!isFull || performance.now() > ends) throw told(thrown)
      await sleep(20 + Math.random() * 80)
    }
  }
}

function tellingClient(client: pg.PoolClient): PostgresPoolClient {
  let loss: Error | undefined
  const query = async (text: string, values?: unknown[]) => {
    try {
      return await client.query(text, values?.map(toStorableText))
    } catch (thrown) {
      if (isUnavailable(thrown)) loss ??= thrown as Error
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
  if (!isUnavailable(thrown)) return thrown
  return new AppError('STORE_UNAVAILABLE', { part: 'database', retryAfter: 2 }, { cause: thrown })
}

/** Classes of SQLSTATE: connection, resources of the server, its shutdown and restart, its disk. */
const classes = /^(08|53|57P|58)/
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

function isUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return classes.test(code) || systemCodes.has(code) || texts.test(thrown.message)
}
