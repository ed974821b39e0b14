import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'

/** A place for rows: typed queries on either dialect, transactions, and a way to wake other processes. */
export interface Database<Tables> {
  readonly dialect: 'sqlite' | 'postgres'
  /** Whether several processes may serve it at the same time. */
  readonly isShared: boolean
  readonly query: Kysely<Tables>
  /**
   * Runs the work in one transaction. Nothing but queries may be awaited inside it. Where `durable` is false, the disk
   * has it within a tenth of a second instead of before this resolves. A power cut in between may undo it, the end of
   * this process may not.
   */
  transaction<Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
    options?: { durable: boolean },
  ): Promise<Result>
  /** Locks the rows of a select until the transaction ends and leaves out those that another one holds. */
  skipLocked<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Locks the rows of a select until the transaction ends, waiting for those that another one holds. */
  lock<T extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, T, Row>,
  ): SelectQueryBuilder<Tables, T, Row>
  /** Waits for a lock that has a name instead of a row, and holds it until the transaction ends. */
  lockName(transaction: Transaction<Tables>, name: string): Promise<void>
  /** The same without waiting. False: another transaction holds it. */
  tryLockName(transaction: Transaction<Tables>, name: string): Promise<boolean>
  /** Calls back for each message on the channel, from this process or another. Returns how to stop. */
  listen(channel: Channel, heard: (message: string) => void): () => void
  /** Wakes listeners everywhere. A wake-up may be lost in a crash, so listeners also look by themselves. */
  notify(channel: Channel, message: string): void
  /** The time that all processes which share the store agree on. */
  time(): Promise<number>
  close(): Promise<void>
}

/**
 * What processes that share a store wake each other for:
 * - `queued`: jobs wait; the message is their team, or nothing where they are of many
 * - `slot`: a slot is free; the message is its team
 * - `cancelled`: a job is to end; the message is its id
 * - `deliveries`: webhooks wait in the outbox; no message
 */
export type Channel = 'queued' | 'slot' | 'cancelled' | 'deliveries'
