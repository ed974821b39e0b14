import { randomBytes } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { onFreePort } from './free-port.ts'
import { type Command, startGuardedServer } from './guarded-server.ts'
import { folderFor, postgresUser, type SystemUser } from './postgres-user.ts'

export interface PostgresServer {
  /** URL of the maintenance database `postgres`, as superuser. */
  url: string
  /** Folder with the programs, to which extensions can be added. */
  programs: string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Stops the server and removes its folder. Idempotent. */
  stop(): Promise<void>
  /** Restarts the server cleanly, with a pause of `afterMs`. */
  restart(afterMs: number): void
  freeze(): () => void
  /** Ends the server as a crash would: without a checkpoint, and with all connections cut. `stop` may follow. */
  kill(): void
}

/** Starts a real PostgreSQL on a free loopback port, in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const user = postgresUser()
  return onFreePort((port) => startOn(port, user))
}

async function startOn(port: number, user: SystemUser | undefined): Promise<PostgresServer> {
  const folder = folderFor(user)
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  if (user) chownSync(join(folder, 'password'), user.uid, user.gid)
  const server = startGuardedServer({
    folder,
    before: [copyCommand(folder), { ...initdbCommand(folder), ...user }],
    server: { ...postgresCommand(folder, port), ...user },
    stopSignal: 'SIGINT',
  })
  const url = (database: string) => `postgres://winnow:${password}@127.0.0.1:${port}/${database}`
  // Only this server knows the password, so another server on this port is not mistaken for it.
  await server.waitUntilReady(() => query(url('postgres'), 'select 1'))
  return {
    url: url('postgres'),
    programs: join(folder, 'programs'),
    async createDatabase() {
      const name = `test_${randomBytes(8).toString('hex')}`
      await query(url('postgres'), `create database ${name}`)
      return url(name)
    },
    stop: () => server.stop(),
    restart: server.restart,
    freeze: server.freeze,
    // To the database and its clients, an immediate shutdown is a crash, but it frees shared memory.
    kill: () => server.signal('SIGQUIT'),
  }
}

function copyCommand(folder: string): Command {
  const program = fileURLToPath(new URL('./postgres-programs.ts', import.meta.url))
  return { program: process.execPath, arguments: [program, join(folder, 'programs')] }
}

function initdbCommand(folder: string): Command {
  const location = ['--pgdata', join(folder, 'data'), '--username', 'winnow']
  const access = ['--auth', 'scram-sha-256', '--pwfile', join(folder, 'password')]
  const text = ['--encoding', 'UTF8', '--locale', 'C']
  // The builtin provider supports Unicode on every machine, whatever locales the system has.
  const localeProvider = ['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
  return {
    program: join(folder, 'programs/bin/initdb'),
    arguments: [...location, ...access, ...text, ...localeProvider, '--no-sync'],
  }
}

function postgresCommand(folder: string, port: number): Command {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    // Uses files in the folder instead of the system's shared memory, so that they are removed with the folder.
    dynamic_shared_memory_type: 'mmap',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return { program: join(folder, 'programs/bin/postgres'), arguments: ['-D', join(folder, 'data'), ...flags] }
}

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // A server that ends during the connection emits an error here. The awaited call below fails with the same error.
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}
