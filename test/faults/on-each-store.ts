import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Answer, type CallOptions, callAt } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { isWhole } from './faults.ts'
import { startFleet } from './fleet.ts'

export type StoreKind = 'sqlite' | 'postgres'

/** Stores on which a fault is tested. The short form uses SQLite only. */
export const stores: StoreKind[] = isWhole ? ['sqlite', 'postgres'] : ['sqlite']

export interface StoredService {
  service: RunningService
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Returns the first column of the first row, of the store or of the search index. */
  read<Value>(statement: string, of?: 'store' | 'search'): Promise<Value>
  /** Runs statements on the store or on the search index, while no service runs. */
  change(statements: string[], of?: 'store' | 'search'): Promise<void>
  /** Starts a service on the same store. The previous service must have ended. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Starts one service on its own empty store. */
export async function startOn(store: StoreKind, changes: Record<string, string>): Promise<StoredService> {
  return store === 'postgres' ? startOnPostgres(changes) : startOnSqlite(changes)
}

async function startOnSqlite(changes: Record<string, string>): Promise<StoredService> {
  const folder = temporaryFolder()
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...changes,
  }
  const files = { store: 'winnow.sqlite', search: 'search.sqlite' }
  return serviceOn(environment, {
    read: async (statement, source = 'store') => readOne(join(folder.path, files[source]), statement),
    change: async (statements, source = 'store') => changeAll(join(folder.path, files[source]), statements),
    stop: async () => folder.remove(),
  })
}

async function startOnPostgres(changes: Record<string, string>): Promise<StoredService> {
  const { environment, read, stop } = await startFleet([], changes)
  const change = async (statements: string[]) => {
    for (const statement of statements) await read(statement)
  }
  return serviceOn(environment, { read, change, stop })
}

async function serviceOn(
  environment: Record<string, string>,
  { read, change, stop }: Pick<StoredService, 'read' | 'change' | 'stop'>,
): Promise<StoredService> {
  const stored: StoredService = {
    service: await startService(environment),
    call: (method, path, options = {}) => callAt(stored.service.url, method, path, { key, ...options }),
    ...{ read, change },
    async startAgain() {
      stored.service = await startService(environment)
    },
    async stop() {
      await stored.service.kill()
      await stop()
    },
  }
  return stored
}

function readOne<Value>(path: string, statement: string): Value {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    // The caller knows the type of the column.
    return Object.values(database.prepare(statement).get() ?? {})[0] as Value
  } finally {
    database.close()
  }
}

function changeAll(path: string, statements: string[]): void {
  const database = new DatabaseSync(path)
  try {
    for (const statement of statements) database.exec(statement)
  } finally {
    database.close()
  }
}
