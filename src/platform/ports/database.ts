import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'

/** Text parameters may contain U+0000, which is stored as U+FFFD. */
export interface Database<Tables> {
  readonly dialect: 'sqlite' | 'postgres'
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
  lockName(transaction: Transaction<Tables>, name: string): Promise<void>
  /** Resolves to false if another transaction holds the lock. */
  tryLockName(transaction: Transaction<Tables>, name: string): Promise<boolean>
  listen(channel: Channel, onMessage: (message: string) => void): () => void
  /** A wake-up may be lost in a crash, so listeners also poll. */
  notify(channel: Channel, message: string): void
  /** Resolves when all publishing processes know the subscriber, to a function that ends the subscription. */
  subscribe(topic: string, onMessage: (message: string) => void): Promise<() => void>
  /** Sends a message of at most 7 KB, which may be lost. Without subscribers, `message` is not called. */
  publish(topic: string, message: () => string): void
  time(): Promise<number>
  size(): Promise<number>
  close(): Promise<void>
}

/** Messages: team id for `queued` (empty: several) and `slot`, job id for `cancelled`; otherwise empty. */
type Channel = 'queued' | 'slot' | 'cancelled' | 'deliveries' | 'indexing'
