import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, inject } from 'vitest'
import { type RunningService, startService, temporaryFolder } from './service.ts'
import { createTeams } from './teams.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses field by field; the service checks their shape
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

let callCount = 0

/** Sends one call to the deployment under test. Calls alternate between its processes. */
export function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { urls } = inject('deployment')
  callCount += 1
  return callAt(urls[callCount % urls.length] ?? '', method, path, { key: teamKey(), ...options })
}

/** Returns the key of the team that only this test file uses. */
export function teamKey(): string {
  const { testPath = '' } = expect.getState()
  const key = inject('deployment').keys[testPath]
  if (key === undefined) throw new Error(`There is no team for ${testPath}.`)
  return key
}

export interface CallOptions {
  body?: unknown
  key?: string | null
  headers?: Record<string, string>
}

export async function callAt(
  base: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const { body, key } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null || key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const scrape = (body: object) => call('POST', '/v2/scrape', { body })

export interface Team {
  key: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

/** Creates another team on the deployment under test, with the settings that an operator can set. */
export async function createTeam(settings: TeamSettings = {}): Promise<Team> {
  const operator = { key: inject('deployment').key }
  const body = { name: `team ${randomBytes(8).toString('hex')}`, ...settings }
  const team = (await call('POST', '/v2/operator/teams', { ...operator, body })).body.data
  const createdKey = await call('POST', '/v2/operator/keys', { ...operator, body: { teamId: team.id } })
  const { key } = createdKey.body as { key: string }
  return { key, call: (method, path, options = {}) => call(method, path, { key, ...options }) }
}

interface TeamSettings {
  credits?: number
  concurrency?: number
  zeroDataRetention?: boolean
}

export interface OwnService extends RunningService {
  key: string
  environment: Record<string, string>
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Returns the key of a new team, with TEAM_CREDITS credits. */
  newTeam(): Promise<string>
  /** Starts another process on the same store, after or alongside this one. */
  again(changes?: Record<string, string>): Promise<OwnService>
  remove(): Promise<void>
}

/** Starts a separate service for the test, on an empty store of the kind under test. */
export async function startOwnService(changes: Record<string, string> = {}): Promise<OwnService> {
  const { environment, admin } = inject('deployment')
  const folder = temporaryFolder()
  const database = admin.postgresUrl ? { DATABASE_URL: await createDatabase(admin.postgresUrl) } : {}
  return startIn({ ...environment, ...database, DATA_DIR: folder.path, ...changes }, folder.remove)
}

async function startIn(environment: Record<string, string>, removeFolder: () => void): Promise<OwnService> {
  const service = await startService(environment)
  const key = environment.API_KEY ?? ''
  return {
    ...service,
    key,
    environment,
    call: (method, path, options = {}) => callAt(service.url, method, path, { key, ...options }),
    async newTeam() {
      const name = `team ${randomBytes(8).toString('hex')}`
      return (await createTeams(environment, [name]))[name] ?? ''
    },
    again: (changes = {}) => startIn({ ...environment, ...changes }, removeFolder),
    async remove() {
      await service.kill()
      removeFolder()
    },
  }
}

async function createDatabase(adminUrl: string): Promise<string> {
  const name = `own_${randomBytes(8).toString('hex')}`
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}
