import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'

/**
 * A place for rows: typed queries on either dialect, transactions, and a way to wake other processes. Text parameters may
 * contain U+0000, which is stored as U+FFFD.
 */
export interface Database<Tables> {
  readonly dialect: 'sqlite' | 'postgres'
  /** Whether several processes may serve it at the same time. */
  readonly isShared: boolean
  readonly query: Kysely<Tables>
  /**
   * Runs the work in one transaction. Await only queries inside it. If `durable` is false, the data is on disk
   * within a tenth of a second instead of before this resolves. A power cut in between may undo it, the end of
   * this process does not.
   */
  transaction<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    options?: { durable: boolean },
  ): Promise<Result>
  /** Locks the rows of a select until the transaction ends and skips those that another transaction has locked. */
  skipLocked<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Locks the rows of a select until the transaction ends, and waits for those that another transaction has locked. */
  lock<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Waits for a named lock and holds it until the transaction ends. */
  lockName(transaction: Transaction<Tables>, name: string): Promise<void>
  /** The same without waiting. False: another transaction holds it. */
  tryLockName(transaction: Transaction<Tables>, name: string): Promise<boolean>
  /** Calls back for each message on the channel, from this process or another. Returns a function that stops it. */
  listen(channel: Channel, heard: (message: string) => void): () => void
  /** Wakes listeners everywhere. A wake-up may be lost in a crash, so listeners also poll. */
  notify(channel: Channel, message: string): void
  /**
   * Calls back for each message on a topic, from this process or another. Resolves, with a function that stops it, when
   * the processes that publish know that somebody listens.
   */
  subscribe(topic: string, heard: (message: string) => void): Promise<() => void>
  /** Sends to the subscribers of the topic; where there are none, no message is made. It may be lost, and is at most 7 KB. */
  publish(topic: string, message: () => string): void
  /** The common time of all processes that share the store. */
  time(): Promise<number>
  /** Bytes that it takes on its disk. */
  size(): Promise<number>
  close(): Promise<void>
}

/**
 * Why processes that share a store wake each other:
 * - `queued`: jobs wait; the message is their team, or empty if they belong to several
 * - `slot`: a slot is free; the message is its team
 * - `cancelled`: a job must end; the message is its id
 * - `deliveries`: webhooks wait in the outbox; no message
 * - `indexing`: pages wait to be indexed; no message
 */
type Channel = 'queued' | 'slot' | 'cancelled' | 'deliveries' | 'indexing'
