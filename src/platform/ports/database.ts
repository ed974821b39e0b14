import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'

/**
 * Database of either dialect: typed queries, transactions, and notifications that wake other processes. Text parameters
 * may contain U+0000, which is stored as U+FFFD.
 */
export interface Database<Tables> {
  readonly dialect: 'sqlite' | 'postgres'
  /** True if several processes may use the database at the same time. */
  readonly isShared: boolean
  readonly query: Kysely<Tables>
  /**
   * Runs the work in one transaction. Await only queries inside it. If `durable` is false, the data is on disk within a
   * tenth of a second instead of before this resolves. A power cut in between may undo the transaction, the end of this
   * process does not.
   */
  transaction<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    options?: { durable: boolean },
  ): Promise<Result>
  /** Locks the rows of a select until the transaction ends, and skips rows that another transaction has locked. */
  skipLocked<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Locks the rows of a select until the transaction ends, and waits for rows that another transaction has locked. */
  lock<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Waits for a named lock and holds it until the transaction ends. */
  lockName(transaction: Transaction<Tables>, name: string): Promise<void>
  /** Takes a named lock without waiting. Resolves to false if another transaction holds it. */
  tryLockName(transaction: Transaction<Tables>, name: string): Promise<boolean>
  /** Calls back for each message on the channel, from this process or another. Returns a function that stops it. */
  listen(channel: Channel, onMessage: (message: string) => void): () => void
  /** Wakes the listeners of all processes. A wake-up may be lost in a crash, so listeners also poll. */
  notify(channel: Channel, message: string): void
  /**
   * Calls back for each message on a topic, from this process or another. Resolves to a function that stops it, after
   * the subscriber is registered with all publishing processes.
   */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => void>
  /**
   * Sends a message of at most 7 KB, which may be lost, to the subscribers. Without subscribers, `message` is not
   * called.
   */
  publish(topic: string, message: () => string): void
  /** Returns the common time of all processes that share the database. */
  time(): Promise<number>
  /** Returns the number of bytes that the database takes on its disk. */
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
