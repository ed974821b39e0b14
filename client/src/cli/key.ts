import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'

export interface Connection {
  baseUrl: string
  apiKey: string | undefined
  /** Where the address and the key come from, for --verbose. Never the key itself. */
  origin: { url: string; key: string }
  isLocal: boolean
  warning: string | undefined
}

export interface ConnectionDeps {
  url: string | undefined
  key: string | undefined
  environment: NodeJS.ProcessEnv
  /** The folder of the project that this program is part of, if it is. */
  project: string | undefined
  folder: string
}

const defaultUrl = 'http://127.0.0.1:3002'

/** The address of the service, and the key for it. A key that was found on this machine goes to this machine only. */
export function findConnection({ url, key, environment, project, folder }: ConnectionDeps): Connection {
  const [text, urlOrigin] = firstOf([
    [url, '--url'],
    [environment.WINNOW_URL, 'WINNOW_URL'],
    [defaultUrl, 'default'],
  ])
  const address = serviceUrl(text, urlOrigin)
  const isLocal = isLoopback(address.hostname)
  const [given, keyOrigin] = firstOf([
    [key, '--key'],
    [environment.WINNOW_API_KEY, 'WINNOW_API_KEY'],
  ])
  const found = given === '' && isLocal ? findKeyFile({ environment, project, folder }) : undefined
  const apiKey = given === '' ? found?.key : checkedKey(given, keyOrigin)
  const isExposed = apiKey !== undefined && !isLocal && address.protocol === 'http:'
  return {
    baseUrl: address.href.replace(/\/+$/, ''),
    apiKey,
    isLocal,
    origin: { url: urlOrigin, key: given === '' ? (found?.path ?? 'none') : keyOrigin },
    warning: isExposed
      ? `The key goes to ${address.host} without encryption. Use an address that begins with https://.`
      : undefined,
  }
}

function firstOf(choices: [string | undefined, string][]): [string, string] {
  for (const [value, origin] of choices) if (value !== undefined && value !== '') return [value, origin]
  return ['', 'none']
}

function serviceUrl(text: string, origin: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address && /^https?:$/.test(address.protocol) && address.username === '' && address.password === '') {
    address.search = ''
    address.hash = ''
    return address
  }
  throw new UsageError(
    `${origin}: "${text}" is no address of a service. Write one like ${defaultUrl}; the key goes into --key.`,
  )
}

/** Names that cannot lead elsewhere: addresses of this machine, and the name that stands for them. */
export function isLoopback(hostname: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost'
}

function checkedKey(key: string, origin: string): string {
  const trimmed = key.trim()
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed
  throw new UsageError(`${origin}: a key has no spaces and no special characters. Copy it again.`)
}

const longestKeyFile = 4096

function findKeyFile({ environment, project, folder }: Omit<ConnectionDeps, 'url' | 'key'>) {
  const folders = [
    ...(environment.DATA_DIR ? [environment.DATA_DIR] : []),
    join(folder, 'data'),
    ...(project === undefined ? [] : [join(project, 'data')]),
  ]
  for (const each of folders) {
    const path = join(each, 'api-key')
    const key = readKey(path)
    if (key !== undefined) return { path, key }
  }
  return undefined
}

function readKey(path: string): string | undefined {
  let file: number
  try {
    // Does not wait for the other end where a pipe has this name.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return undefined
  }
  try {
    const facts = fstatSync(file)
    if (!facts.isFile() || facts.size > longestKeyFile) return undefined
    const key = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]+$/.test(key) ? key : undefined
  } finally {
    closeSync(file)
  }
}
