import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'

export interface Connection {
  baseUrl: string
  apiKey: string | undefined
  /** Sources of the URL and of the key, for --verbose. They never contain the key itself. */
  origin: { url: string; key: string }
  isLocal: boolean
  warning: string | undefined
}

export interface ConnectionDeps {
  url: string | undefined
  key: string | undefined
  environment: NodeJS.ProcessEnv
  /** Folder of the repository, if this program is part of one. */
  project: string | undefined
  /** Current working directory. */
  folder: string
}

const defaultUrl = 'http://127.0.0.1:3002'

/** Returns the URL of the service and its key. A key from a file of this machine is sent only to this machine. */
export function findConnection({ url, key, environment, project, folder }: ConnectionDeps): Connection {
  const [text, urlOrigin] = firstNonEmpty([
    [url, '--url'],
    [environment.WINNOW_URL, 'WINNOW_URL'],
    [defaultUrl, 'default'],
  ])
  const serviceUrl = parseServiceUrl(text, urlOrigin)
  const isLocal = isLoopback(serviceUrl.hostname)
  const [explicitKey, keyOrigin] = firstNonEmpty([
    [key, '--key'],
    [environment.WINNOW_API_KEY, 'WINNOW_API_KEY'],
  ])
  const keyFile = explicitKey === '' && isLocal ? findKeyFile({ environment, project, folder }) : undefined
  const apiKey = explicitKey === '' ? keyFile?.key : validateKey(explicitKey, keyOrigin)
  const isExposed = apiKey !== undefined && !isLocal && serviceUrl.protocol === 'http:'
  return {
    baseUrl: serviceUrl.href.replace(/\/+$/, ''),
    apiKey,
    isLocal,
    origin: { url: urlOrigin, key: explicitKey === '' ? (keyFile?.path ?? 'none') : keyOrigin },
    warning: isExposed
      ? `The key goes to ${serviceUrl.host} without encryption. Use an address that begins with https://.`
      : undefined,
  }
}

function firstNonEmpty(choices: [string | undefined, string][]): [string, string] {
  for (const [value, origin] of choices) if (value !== undefined && value !== '') return [value, origin]
  return ['', 'none']
}

function parseServiceUrl(text: string, origin: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.search = ''
    url.hash = ''
    return url
  }
  throw new UsageError(
    `${origin}: "${text}" is no address of a service. Write one like ${defaultUrl}; the key goes into --key.`,
  )
}

/** True for loopback addresses and `localhost`, which cannot refer to another machine. */
export function isLoopback(hostname: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost'
}

function validateKey(key: string, origin: string): string {
  const trimmed = key.trim()
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed
  throw new UsageError(`${origin}: a key has no spaces and no special characters. Copy it again.`)
}

const maxKeyFileBytes = 4096

function findKeyFile({ environment, project, folder }: Omit<ConnectionDeps, 'url' | 'key'>) {
  const folders = [
    ...(environment.DATA_DIR ? [environment.DATA_DIR] : []),
    join(folder, 'data'),
    ...(project === undefined ? [] : [join(project, 'data')]),
  ]
  for (const dataFolder of folders) {
    const path = join(dataFolder, 'api-key')
    const key = readKey(path)
    if (key !== undefined) return { path, key }
  }
  return undefined
}

function readKey(path: string): string | undefined {
  let file: number
  try {
    // O_NONBLOCK prevents the call from waiting for a writer if the path is a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > maxKeyFileBytes) return undefined
    const key = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]+$/.test(key) ? key : undefined
  } finally {
    closeSync(file)
  }
}
