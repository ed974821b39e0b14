import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { browserSlice, browserVariables, sessionLimits, sessionVariables } from './settings/browser.ts'
import { addressRules, dnsServers, networks, program, proxyUrl, wholeNumber } from './settings/fields.ts'
import { boundsOf, limitVariables, pageBounds, readLimits } from './settings/limits.ts'
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

/** Every environment variable, once: its schema, its default and its meaning. */
export const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65535).default(3002).describe('Port to listen on.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL at which callers reach this service; used in every link that it returns.')
    .meta({ shown: 'from host and port' }),
  PEER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
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
  FFMPEG_PATH: program()
    .describe('ffmpeg binary, which converts recordings to MP3. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  TESSERACT_PATH: program()
    .describe('tesseract binary, which reads text in scans and images. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  BUBBLEWRAP_PATH: program()
    .describe('bwrap binary, which isolates session browsers and code. If not set, the start looks for it.')
    .meta({ shown: 'found' }),
  PYTHON_PATH: program()
    .describe(
      'python3 of a virtual environment with Playwright, for code in Python. If not set, the start creates it.',
    )
    .meta({ shown: 'created' }),
  AGENT_BROWSER_PATH: program()
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

const checked = variables.superRefine((found, context) => {
  const problem = (name: keyof typeof found, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if (found.AUTH === 'off' && !isLoopback(found.HOST))
    problem('AUTH', 'may be off only when HOST is loopback')
  if (found.MAX_UNFINISHED_MB < 2 * found.MAX_REQUEST_MB)
    problem('MAX_UNFINISHED_MB', 'is at least twice MAX_REQUEST_MB: one team has half of it')
  // One that is no URL has been named already.
  const bucket = URL.parse(found.BLOBS_URL ?? '')
  if (bucket && !isPlainUrl(bucket.searchParams.get('endpoint') ?? '')) {
    problem('BLOBS_URL', 'needs an endpoint: s3://bucket/prefix?endpoint=https://host&region=name')
  }
  if (found.BLOBS_URL && !(found.AWS_ACCESS_KEY_ID && found.AWS_SECRET_ACCESS_KEY)) {
    problem('BLOBS_URL', 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const missing = findMissingModelSetting(found)
  if (missing) problem(missing.name, missing.message)
  if (found.ROLE !== 'all' && !(found.DATABASE_URL && found.BLOBS_URL)) {
    problem('ROLE', `${found.ROLE} shares its store with other processes: set DATABASE_URL and BLOBS_URL`)
  }
})

type Environment = Record<string, string | undefined>

export type Settings = ReturnType<typeof readSettings>

export class SettingsError extends Error {}

/** Reads the environment once. All problems are reported together, so that one restart is enough to fix them. */
export function readSettings(environment: Environment = environmentOfProcess()) {
  // An empty variable means "not set": compose files and shells pass empty strings for absent values.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { given, problems } = readFiles(set)
  const result = checked.safeParse(given)
  const issues = result.success ? [] : result.error.issues
  const lines = issues.map(({ path, message }) => {
    const name = String(path[0])
    const value = /KEY|SECRET|URL/.test(name) || given[name] === undefined ? '' : ` (found "${given[name]}")`
    return `${name} ${message}${value}`
  })
  if (!result.success || problems.length > 0) {
    const all = [...problems, ...lines].map((line) => `  ${line}`)
    throw new SettingsError(`The settings are invalid:\n${all.join('\n')}`)
  }
  const warnings = [...findRemovedVariables(set), ...findRemovedProviders(result.data)]
  return Object.freeze({ ...slices(result.data), warnings })
}

/**
 * `NAME_FILE` names a file that holds the value of the variable NAME: as engines hand secrets to containers, where an
 * environment can be read by anyone who may inspect one. `given` has the content of the files in place of their paths.
 */
function readFiles(environment: Environment): { given: Environment; problems: string[] } {
  const given = { ...environment }
  const problems: string[] = []
  for (const name of Object.keys(variables.shape)) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) problems.push(`${name} is set twice: also by ${name}_FILE`)
    try {
      // Editors and `echo` end a file with a line break that is no part of the secret.
      given[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (given[name] === '') problems.push(`${name}_FILE names a file that is empty (found "${path}")`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(`${name}_FILE names a file that cannot be read: ${code} (found "${path}")`)
    }
  }
  return { given, problems }
}

/** Settings of earlier versions, and what became of them. The start logs a warning for each one that is set and ignores it. */
const removedVariables: Readonly<Record<string, string>> = {
  LEARNED_EXTRACTORS: 'values are no longer read from places that earlier pages of a site have taught',
}

/** Returns a warning for each removed setting that is set. */
function findRemovedVariables(environment: Environment): string[] {
  return Object.entries(removedVariables)
    .filter(([name]) => environment[name] !== undefined)
    .map(([name, reason]) => `${name} was removed and is ignored: ${reason}. Delete the setting.`)
}

/** The variables of this process. A file `.env` in the working directory supplies those that are not set. */
function environmentOfProcess(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/** What the environment shows about how this process was started. */
export interface Launcher {
  /** True if `npm start` or `npm run dev` started it. */
  isNpm: boolean
  /** True if a shell started it with `nohup`. */
  isNohup: boolean
}

export function readLauncher(): Launcher {
  const { npm_lifecycle_event: script = '', _: program = '' } = process.env
  return { isNpm: ['start', 'dev'].includes(script), isNohup: /(?:^|\/)nohup$/.test(program) }
}

/** From now on, this process and its children put their temporary files there. */
export function useTemporaryFolder(path: string): void {
  process.env.TMPDIR = path
}

function slices(found: z.infer<typeof variables>) {
  const data = resolve(found.DATA_DIR)
  return {
    role: found.ROLE,
    http: {
      host: found.HOST,
      port: found.PORT,
      publicUrl: found.PUBLIC_URL?.replace(/\/+$/, ''),
      peerUrl: found.PEER_URL?.replace(/\/+$/, ''),
      auth: found.AUTH === 'on',
      checkResponses: found.CHECK_RESPONSES === 'on',
      maxMegabytes: found.MAX_REQUEST_MB,
      mostConnections: found.MAX_CONNECTIONS,
      trustedProxies: found.TRUSTED_PROXIES,
    },
    store: {
      dataDir: data,
      databaseUrl: found.DATABASE_URL,
      bucket: found.BLOBS_URL === undefined ? undefined : bucketOf(found.BLOBS_URL, found),
    },
    firstKey: found.API_KEY,
    profileKey: found.PROFILE_KEY,
    chromiumPath: found.CHROMIUM_PATH,
    ffmpegPath: found.FFMPEG_PATH ?? firstOf('/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'),
    tesseractPath:
      found.TESSERACT_PATH ??
      firstOf('/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract'),
    bubblewrapPath: found.BUBBLEWRAP_PATH ?? firstOf('/usr/bin/bwrap', '/usr/local/bin/bwrap'),
    pythonPath: found.PYTHON_PATH,
    agentBrowserPath: found.AGENT_BROWSER_PATH,
    sentenceModel: found.SEARCH_SENTENCE_MODEL,
    console: found.CONSOLE_PATH,
    model: readModelSettings(found),
    proxies: { basic: found.PROXY_BASIC_URL, enhanced: found.PROXY_ENHANCED_URL },
    allowPrivateNetwork: found.ALLOW_PRIVATE_NETWORK,
    denyNetwork: found.DENY_NETWORK,
    dnsServers: found.DNS_SERVERS,
    limits: readLimits(found),
    ...boundsOf(found),
    browser: browserSlice(found),
    sessions: sessionLimits(found),
    search: readSearchSettings(found),
    webhooks: readWebhookSettings(found),
    tracing: readTracingSettings(found),
    retention: {
      hours: found.RETENTION_HOURS,
      cacheDays: found.CACHE_DAYS,
      teamCacheBytes: found.TEAM_CACHE_BYTES,
    },
    log: { level: found.LOG_LEVEL, format: found.LOG_FORMAT },
  }
}

/** An http or https URL without credentials, which error messages would repeat, and without a query. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
}

function firstOf(...paths: string[]): string | undefined {
  return paths.find((path) => existsSync(path))
}

function bucketOf(text: string, found: z.infer<typeof variables>) {
  const url = new URL(text)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    endpoint: `${url.searchParams.get('endpoint')?.replace(/\/+$/, '')}/${url.hostname}`,
    region: url.searchParams.get('region') ?? 'auto',
    prefix: prefix && `${prefix}/`,
    accessKeyId: found.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: found.AWS_SECRET_ACCESS_KEY ?? '',
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}
