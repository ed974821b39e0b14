import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'

/** Text parameters may contain U+0000, which is stored as U+FFFD. */
export interface Database<Tables> {
  readonly dialect: 'sqlite' | 'postgres'
  /** True if several processes may use the database at the same time. */
  readonly isShared: boolean
  readonly query: Kysely<Tables>
  /** Await only queries inside. If `durable` is false, a power cut within a tenth of a second may undo the transaction. */
  transaction<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    options?: { durable: boolean },
  ): Promise<Result>
  skipLocked<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  lock<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Waits, and holds the lock until the transaction ends. */
  lockName(transaction: Transaction<Tables>, name: string): Promise<void>
  /** Takes a named lock without waiting. Resolves to false if another transaction holds it. */
  /** Resolves to false if another transaction holds the lock. */
  tryLockName(transaction: Transaction<Tables>, name: string): Promise<boolean>
  /** Calls back for messages of all processes. Returns a function that stops it. */
  listen(channel: Channel, onMessage: (message: string) => void): () => void
  /** A wake-up may be lost in a crash, so listeners also poll. */
  notify(channel: Channel, message: string): void
  /** Resolves to a function that stops it, after all publishing processes know the subscriber. */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => void>
  /** Sends a message of at most 7 KB, which may be lost. Without subscribers, `message` is not called. */
  publish(topic: string, message: () => string): void
  /** The common time of all processes that share the database. */
  time(): Promise<number>
  size(): Promise<number>
  close(): Promise<void>
}

/**
 * Channel of notifications between processes that share a database:
 * - `queued`: jobs wait; the message is their team, or empty if they belong to several
 * - `slot`: a slot is free; the message is its team
 * - `cancelled`: a job must end; the message is its id
 * - `deliveries`: webhooks wait in the outbox; no message
 * - `indexing`: pages wait to be indexed; no message
 */
type Channel = 'queued' | 'slot' | 'cancelled' | 'deliveries' | 'indexing'
