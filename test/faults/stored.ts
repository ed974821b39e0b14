import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { S3mini } from 's3mini'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { silentLog } from '../../src/platform/log.ts'
import { type Answer, type CallOptions, callAt } from '../api.ts'
import type { Relay } from '../servers/relay.ts'
import { startService, temporaryFolder } from '../service.ts'
import { startFleet } from './fleet.ts'
import type { StoreKind } from './on-each-store.ts'

export { stores } from './on-each-store.ts'

/** Direct access to the stored blobs, without the service, to simulate faults of the disk or the bucket. */
export interface RawBlobs {
  names(): Promise<string[]>
  read(name: string): Promise<Uint8Array>
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

export interface Stored {
  environment: Record<string, string>
  url: string
  key: string
  /** Relay in front of the bucket; undefined if the blobs are files. */
  bucket: Relay | undefined
  raw: RawBlobs
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  open(): ReturnType<typeof openStore>
  stopServices(): Promise<void>
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Starts one service on SQLite and files, or on PostgreSQL and a bucket. */
export async function startStored(kind: StoreKind, changes: Record<string, string> = {}): Promise<Stored> {
  return kind === 'sqlite' ? onSqlite(changes) : onPostgres(changes)
}

async function onSqlite(changes: Record<string, string>): Promise<Stored> {
  const folder = temporaryFolder()
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...{ RATE_PER_MINUTE: '1000000', ...changes },
  }
  const service = await startService(environment)
  return {
    ...{ environment, url: service.url, key, bucket: undefined, raw: filesIn(join(folder.path, 'blobs')) },
    call: (method, path, options = {}) => callAt(service.url, method, path, { key, ...options }),
    open: () => openStore(readSettings(environment), silentLog),
    stopServices: async () => void (await service.stop()),
    async stop() {
      await service.kill()
      folder.remove()
    },
  }
}

async function onPostgres(changes: Record<string, string>): Promise<Stored> {
  const fleet = await startFleet(['all'], changes)
  const { environment } = fleet
  const settings = readSettings(environment)
  if (!settings.store.bucket) throw new Error('The settings have no bucket.')
  const { prefix, ...connection } = settings.store.bucket
  return {
    ...{
      environment,
      url: fleet.services[0]?.url ?? '',
      key,
      bucket: fleet.bucket,
      raw: objectsIn(new S3mini(connection), prefix),
    },
    call: fleet.call,
    open: () => openStore(settings, silentLog),
    stopServices: async () => void (await Promise.all(fleet.services.map((service) => service.stop()))),
    stop: fleet.stop,
  }
}

function filesIn(root: string): RawBlobs {
  const path = (name: string) => join(root, name)
  return {
    async names() {
      const entries = readdirSync(root, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    },
    read: async (name) => readFileSync(path(name)),
    async write(name, bytes) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), bytes)
    },
    remove: async (name) => rmSync(path(name)),
  }
}

function objectsIn(client: S3mini, prefix: string): RawBlobs {
  return {
    async names() {
      const objects = (await client.listObjects('/', prefix)) ?? []
      return objects.map(({ Key }) => Key.slice(prefix.length))
    },
    async read(name) {
      const bytes = await client.getObjectArrayBuffer(prefix + name)
      if (!bytes) throw new Error(`There is no blob ${name}.`)
      return new Uint8Array(bytes)
    },
    write: async (name, bytes) =>
      void (await client.putObject(prefix + name, bytes, 'application/octet-stream')),
    remove: async (name) => void (await client.deleteObject(prefix + name)),
  }
}

/** Returns text that does not compress below half its length, different for each seed. */
export function randomText(seed: number, length: number): string {
  let state = seed + 1
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += `${state.toString(36)} `
  }
  return text.slice(0, length)
}
