import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Answer, type CallOptions, callAt } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { isWhole } from './faults.ts'
import { startFleet } from './fleet.ts'

export type StoreKind = 'sqlite' | 'postgres'

/** Stores that a fault is tested on: the short form takes SQLite only. */
export const stores: StoreKind[] = isWhole ? ['sqlite', 'postgres'] : ['sqlite']

export interface StoredService {
  service: RunningService
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** One value of one row. */
  read<Value>(statement: string): Promise<Value>
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Starts one service on an empty store of its own. */
export async function startOn(store: StoreKind, changes: Record<string, string>): Promise<StoredService> {
  if (store === 'postgres') return startOnPostgres(changes)
  const folder = temporaryFolder()
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...changes,
  })
  return {
    service,
    call: (method, path, options = {}) => callAt(service.url, method, path, { key, ...options }),
    read: async (statement) => readOne(join(folder.path, 'winnow.sqlite'), statement),
    async stop() {
      await service.kill()
      folder.remove()
    },
  }
}

async function startOnPostgres(changes: Record<string, string>): Promise<StoredService> {
  const { services, call, read, stop } = await startFleet(['all'], changes)
  const [service] = services
  if (!service) throw new Error('The service was not started.')
  return { service, call, read, stop }
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
