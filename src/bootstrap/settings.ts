import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  browserVariables,
  readBrowserSettings,
  readSessionSettings,
  sessionVariables,
} from './settings/browser.ts'
import { addressRules, dnsServers, networks, programPath, proxyUrl, wholeNumber } from './settings/fields.ts'
import { limitVariables, pageBounds, readLimits, readPageBounds } from './settings/limits.ts'
import { findMissingModelSetting, modelVariables, readModelSettings } from './settings/model.ts'
import {
  findRemovedProviders,
  readSearchSettings,
  searchVariables,
  sentenceModelVariables,
} from './settings/search.ts'
import {
  consoleVariables,
  readTracingSettings,
  readWebhookSettings,
  tracingVariables,
  webhookVariables,
} from './settings/service.ts'

const serviceUrl = z.url({ protocol: /^https?$/ }).optional()

export const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65535).default(3002).describe('Port to listen on.'),
  PUBLIC_URL: serviceUrl
    .describe('URL at which callers reach this service; used in every link that it returns.')
    .meta({ shown: 'from host and port' }),
  PEER_URL: serviceUrl
    .describe('URL at which the other processes of this installation reach this one.')
    .meta({ shown: 'from host and port' }),
  TRUSTED_PROXIES: networks()
    .describe(
      'Comma-separated addresses or networks of the reverse proxies that may name the client in `X-Forwarded-For` or `Forwarded`: `127.0.0.1,10.0.0.0/8`. Limits per address count that client; for every other peer they count the peer.',
    )
    .meta({ shown: 'empty' }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder of the store, blobs and first key; delete it to start from scratch.'),
  API_KEY: z
    .string()
    .min(8, 'has at least 8 characters')
    .optional()
    .describe(
      'Key of the first team, and an operator’s. If not set, the first start creates one and stores it in DATA_DIR/api-key.',
    )
    .meta({ shown: 'created at the first start' }),
  AUTH: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off` maps every request to the first team; only allowed if HOST is loopback.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'is a postgres:// URL' })
    .optional()
    .describe('PostgreSQL to use instead of SQLite: `postgres://user:password@host/database`.')
    .meta({ shown: 'SQLite in DATA_DIR' }),
  BLOBS_URL: z
    .url({ protocol: /^s3$/, error: 'is an s3:// URL' })
    .optional()
    .describe('Bucket to use instead of files: `s3://bucket/prefix?endpoint=https://host&region=name`.')
    .meta({ shown: 'files in DATA_DIR' }),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('Access key of the bucket.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret key of the bucket.'),
  PROFILE_KEY: z
    .string()
    .min(32, 'has at least 32 characters')
    .optional()
    .describe(
      'Secret that encrypts profiles, the same for all processes: `openssl rand -base64 32`. If not set, the service creates one and stores it in the database.',
    )
    .meta({ shown: 'created at the first use' }),
  ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe('Role of this process; `api` and `worker` need DATABASE_URL and BLOBS_URL.'),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe('Chromium binary. If not set, preparation finds or installs it.')
    .meta({ shown: 'found' }),
  FFMPEG_PATH: programPath()
    .describe('ffmpeg binary, which converts recordings to MP3. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  TESSERACT_PATH: programPath()
    .describe('tesseract binary, which reads text in scans and images. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  BUBBLEWRAP_PATH: programPath()
    .describe('bwrap binary, which isolates session browsers and code. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  PYTHON_PATH: programPath()
    .describe(
      'python3 of a virtual environment with Playwright, for code in Python. If not set, the start creates it.',
    )
    .meta({ shown: 'created' }),
  AGENT_BROWSER_PATH: programPath()
    .describe('agent-browser binary, for code in Bash. If not set, the start installs it.')
    .meta({ shown: 'installed' }),
  ...sentenceModelVariables,
  ...consoleVariables,
  ...modelVariables,
  PROXY_BASIC_URL: proxyUrl().describe(
    'Proxy for ordinary requests; `{country}` is replaced by the country code.',
  ),
  PROXY_ENHANCED_URL: proxyUrl().describe(
    'Proxy for sites that block ordinary requests; `{country}` is replaced by the country code.',
  ),
  ALLOW_PRIVATE_NETWORK: addressRules()
    .describe(
      'Comma-separated private addresses, networks or names, each with an optional port, that the service may contact: `127.0.0.1,10.1.0.0/16,intranet.example:8080`.',
    )
    .meta({ shown: 'empty' }),
  DENY_NETWORK: addressRules()
    .describe(
      'Comma-separated addresses, networks or names, each with an optional port, that the service never contacts for a caller, also if they are public or ALLOW_PRIVATE_NETWORK names them: `203.0.114.0/24,status.example:8443`. Its own listeners, database, bucket, model, search and proxy servers are always refused.',
    )
    .meta({ shown: 'empty' }),
  DNS_SERVERS: dnsServers()
    .describe(
      'Comma-separated DNS servers for the hosts of scrapes, each with an optional port: `9.9.9.9,[2620:fe::fe]:53`. Used instead of the resolver of the machine and its hosts file.',
    )
    .meta({ shown: 'those of the machine' }),
  ...limitVariables,
  ...pageBounds,
  ...browserVariables,
  ...sessionVariables,
  ...searchVariables,
  ...webhookVariables,
  ...tracingVariables,
  RETENTION_HOURS: wholeNumber(1, 24 * 365)
    .default(24)
    .describe('How long the results of jobs can be read.'),
  CACHE_DAYS: wholeNumber(0, 36_500).default(730).describe('How long the cache keeps fetched pages.'),
  TEAM_CACHE_BYTES: wholeNumber(1_000_000, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      'Bytes of cached pages per team; the oldest pages of the team make room. Caching stops when the disk is 85 % full.',
    )
    .meta({ shown: 'a quarter of the disk; 10737418240 if pages are in PostgreSQL and S3' }),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level of log lines that are written.'),
  LOG_FORMAT: z
    .enum(['pretty', 'json'])
    .default(process.stdout.isTTY ? 'pretty' : 'json')
    .describe('Format of log lines.')
    .meta({ shown: '`pretty` on a terminal, else `json`' }),
  CHECK_RESPONSES: z
    .enum(['on', 'off'])
    .default('off')
    .describe('`on` checks every response against its schema before it is sent; meant for tests.'),
})

const checkedVariables = variables.superRefine((values, context) => {
  const addProblem = (name: keyof typeof values, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if (values.AUTH === 'off' && !isLoopback(values.HOST))
    addProblem('AUTH', 'may be off only when HOST is loopback')
  if (values.MAX_UNFINISHED_MB < 2 * values.MAX_REQUEST_MB)
    addProblem('MAX_UNFINISHED_MB', 'is at least twice MAX_REQUEST_MB: one team has half of it')
  // A BLOBS_URL that is not a URL is already reported by its schema.
  const bucket = URL.parse(values.BLOBS_URL ?? '')
  if (bucket && !isPlainUrl(bucket.searchParams.get('endpoint') ?? ''))
    addProblem('BLOBS_URL', 'needs an endpoint: s3://bucket/prefix?endpoint=https://host&region=name')
  if (values.BLOBS_URL && !(values.AWS_ACCESS_KEY_ID && values.AWS_SECRET_ACCESS_KEY))
    addProblem('BLOBS_URL', 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const missing = findMissingModelSetting(values)
  if (missing) addProblem(missing.name, missing.message)
  if (values.ROLE !== 'all' && !(values.DATABASE_URL && values.BLOBS_URL))
    addProblem('ROLE', `${values.ROLE} shares its store with other processes: set DATABASE_URL and BLOBS_URL`)
})

type Environment = Record<string, string | undefined>

export type Settings = ReturnType<typeof readSettings>

export class SettingsError extends Error {}

export const toSettingsError = (thrown: unknown) =>
  new SettingsError(`The settings are invalid:\n  ${thrown instanceof Error ? thrown.message : thrown}`)

/** Reads the environment once. All problems are reported together, so that one restart is enough to fix them. */
export function readSettings(environment: Environment = loadEnvironment()) {
  // An empty variable means "not set": compose files and shells pass empty strings for absent values.
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { resolved, problems } = resolveFileVariables(nonEmpty)
  const result = checkedVariables.safeParse(resolved)
  const lines = (result.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0])
    const value =
      /KEY|SECRET|URL/.test(name) || resolved[name] === undefined ? '' : ` (found "${resolved[name]}")`
    return `${name} ${message}${value}`
  })
  if (!result.success || problems.length > 0) {
    const all = [...problems, ...lines].map((line) => `  ${line}`)
    throw new SettingsError(`The settings are invalid:\n${all.join('\n')}`)
  }
  const warnings = [...findRemovedVariables(nonEmpty), ...findRemovedProviders(result.data)]
  return Object.freeze({ ...toSettings(result.data), warnings })
}

/** Container engines pass secrets as files: anyone who can inspect a container can read its environment. */
function resolveFileVariables(environment: Environment): { resolved: Environment; problems: string[] } {
  const resolved = { ...environment }
  const problems: string[] = []
  for (const name of Object.keys(variables.shape)) {
    const path = resolved[`${name}_FILE`]
    if (path === undefined) continue
    if (resolved[name] !== undefined) problems.push(`${name} is set twice: also by ${name}_FILE`)
    try {
      // Editors and `echo` end a file with a line break that is not part of the secret.
      resolved[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (resolved[name] === '') problems.push(`${name}_FILE names a file that is empty (found "${path}")`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(`${name}_FILE names a file that cannot be read: ${code} (found "${path}")`)
    }
  }
  return { resolved, problems }
}

const removedVariables: Readonly<Record<string, string>> = {
  LEARNED_EXTRACTORS: 'values are no longer read from places that earlier pages of a site have taught',
}

const findRemovedVariables = (environment: Environment) =>
  Object.entries(removedVariables)
    .filter(([name]) => environment[name] !== undefined)
    .map(([name, reason]) => `${name} was removed and is ignored: ${reason}. Delete the setting.`)

function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

export function readLauncher() {
  const { npm_lifecycle_event: script = '', _: program = '' } = process.env
  return { isNpm: ['start', 'dev'].includes(script), isNohup: /(?:^|\/)nohup$/.test(program) }
}

export function useTemporaryFolder(path: string): void {
  process.env.TMPDIR = path
}

function toSettings(values: z.infer<typeof variables>) {
  return {
    role: values.ROLE,
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
      peerUrl: values.PEER_URL?.replace(/\/+$/, ''),
      auth: values.AUTH === 'on',
      checkResponses: values.CHECK_RESPONSES === 'on',
      maxMegabytes: values.MAX_REQUEST_MB,
      maxConnections: values.MAX_CONNECTIONS,
      trustedProxies: values.TRUSTED_PROXIES,
    },
    store: {
      dataDir: resolve(values.DATA_DIR),
      databaseUrl: values.DATABASE_URL,
      bucket: values.BLOBS_URL === undefined ? undefined : toBucket(values.BLOBS_URL, values),
    },
    firstKey: values.API_KEY,
    profileKey: values.PROFILE_KEY,
    chromiumPath: values.CHROMIUM_PATH,
    ffmpegPath: values.FFMPEG_PATH ?? firstExisting('/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'),
    tesseractPath:
      values.TESSERACT_PATH ??
      firstExisting('/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract'),
    bubblewrapPath: values.BUBBLEWRAP_PATH ?? firstExisting('/usr/bin/bwrap', '/usr/local/bin/bwrap'),
    pythonPath: values.PYTHON_PATH,
    agentBrowserPath: values.AGENT_BROWSER_PATH,
    sentenceModel: values.SEARCH_SENTENCE_MODEL,
    console: values.CONSOLE_PATH,
    model: readModelSettings(values),
    proxies: { basic: values.PROXY_BASIC_URL, enhanced: values.PROXY_ENHANCED_URL },
    allowPrivateNetwork: values.ALLOW_PRIVATE_NETWORK,
    denyNetwork: values.DENY_NETWORK,
    dnsServers: values.DNS_SERVERS,
    limits: readLimits(values),
    ...readPageBounds(values),
    browser: readBrowserSettings(values),
    sessions: readSessionSettings(values),
    search: readSearchSettings(values),
    webhooks: readWebhookSettings(values),
    tracing: readTracingSettings(values),
    retention: {
      hours: values.RETENTION_HOURS,
      cacheDays: values.CACHE_DAYS,
      teamCacheBytes: values.TEAM_CACHE_BYTES,
    },
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
  }
}

/** Returns true for an http or https URL without credentials and query, because error messages repeat the URL. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.username + url.password + url.search + url.hash === ''
}

const firstExisting = (...paths: string[]): string | undefined => paths.find((path) => existsSync(path))

function toBucket(text: string, values: z.infer<typeof variables>) {
  const url = new URL(text)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    endpoint: `${url.searchParams.get('endpoint')?.replace(/\/+$/, '')}/${url.hostname}`,
    region: url.searchParams.get('region') ?? 'auto',
    prefix: prefix && `${prefix}/`,
    accessKeyId: values.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY ?? '',
  }
}

export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)
