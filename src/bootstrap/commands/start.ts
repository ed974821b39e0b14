import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { keyFile } from '../../accounts/key-file.ts'
import { parentAtStart } from '../../platform/child/starting-parent.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { compose, type Service } from '../compose.ts'
import { isLoopback, readLauncher, type Settings, SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { ensureFirstKey } from './first-key.ts'

/** Undefined for a bug, which its stack describes best. */
function explainStart(thrown: unknown, settings: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const explanation =
      explainListening(cause, settings) ?? explainStore(cause, settings) ?? explainFolder(cause, settings)
    if (explanation !== undefined) return explanation
  }
  return explainOutage(thrown, settings)
}

type SystemError = Error & { code?: string; errcode?: number; syscall?: string; path?: string }

function explainListening({ code, syscall }: SystemError, { http }: Settings): string | undefined {
  const isUnknownHost = syscall === 'getaddrinfo' && code !== undefined && !http.host.includes('.')
  if (syscall !== 'listen' && !isUnknownHost) return undefined
  if (code === 'EADDRINUSE')
    return `Port ${http.port} of ${http.host} is in use by another program. Stop that program, or set another PORT.`
  if (code === 'EACCES')
    return `Port ${http.port} needs privileges that this user does not have. Set PORT above 1023.`
  return `HOST=${http.host} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all of its addresses.`
}

const databaseProblems: Record<string, string> = {
  '28P01': 'its password is wrong',
  '28000': 'its user may not log in',
  '3D000': 'the database does not exist on the server',
  '42501': 'its user may not create tables',
}

const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/

function explainStore({ code = '', errcode, message }: SystemError, { store }: Settings): string | undefined {
  const file = `${store.dataDir}/winnow.sqlite`
  const result = (errcode ?? 0) & 0xff
  if (result === 11 || result === 26)
    return `${file} is damaged or not a database. Restore it from a backup, or set DATA_DIR to an empty folder to start from scratch.`
  if (/corrupted migrations/.test(message))
    return 'The store was written by a newer version of this program. Start that version, or restore a backup from before.'
  if (store.databaseUrl === undefined) return undefined
  const isUnreachable = unreachable.test(code) || /^(timeout e|Connection terminated)/.test(message)
  const reason = databaseProblems[code] ?? (isUnreachable ? 'the server does not answer' : undefined)
  return reason && explainDatabase(store.databaseUrl, reason)
}

/** The reason from the database adapter may be in a cause of the error. */
function explainOutage(thrown: unknown, { store }: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof AppError) || cause.code !== 'STORE_UNAVAILABLE') continue
    if (store.databaseUrl !== undefined) return explainDatabase(store.databaseUrl, cause.detail.reason)
  }
  return undefined
}

/** Returns an explanation with the URL, but without its user and password. */
function explainDatabase(url: string, reason: unknown): string {
  const { host, pathname } = new URL(url)
  return `DATABASE_URL cannot be used: ${reason} (${host}${pathname}). Fix it, then start again.`
}

const folderProblems: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it cannot be written',
  ENOTDIR: 'it is a file, or inside a file',
  EEXIST: 'it is a file',
}

function explainFolder(
  { code = '', errcode, syscall, path }: SystemError,
  { store }: Settings,
): string | undefined {
  const result = (errcode ?? 0) & 0xff
  const databaseProblem = [8, 10, 13, 14].includes(result) ? 'it cannot be written' : undefined
  const problem = syscall === 'listen' ? undefined : (folderProblems[code] ?? databaseProblem)
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) || result === 13
  const isOtherFolder = path !== undefined && !path.startsWith(store.dataDir)
  if (isFull && isOtherFolder)
    return `The disk of ${dirname(path)} is full. Free space there, then start again.`
  if (isFull)
    return `The disk of DATA_DIR=${store.dataDir} is full. Free space there, or set DATA_DIR to another folder.`
  return problem && `DATA_DIR=${store.dataDir} cannot be used: ${problem}. Set DATA_DIR to a writable folder.`
}

const parentPollMs = 500
/** Supervisors and terminals signal the entire process group, so signals this close are one request. */
const repeatedSignalMs = 500

/** A second signal exits immediately: running work is abandoned, and its leases expire. */
function onStopRequest(log: Log, stop: () => void): void {
  const launcher = readLauncher()
  const ignoresHangup = isHangupIgnored(launcher)
  let requestedAt: number | undefined
  const requestStop = (reason: object) => {
    requestedAt = performance.now()
    log.info(reason, 'stopping; running calls may finish')
    stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && ignoresHangup)
        return log.warn({ signal }, 'ignored, because the service was started to outlive its terminal')
      if (requestedAt === undefined) requestStop({ signal })
      else if (performance.now() - requestedAt > repeatedSignalMs) process.exit(1)
    })
  }
  if (!launcher.isNpm || ignoresHangup) return
  const timer = setInterval(() => {
    if (process.ppid === parentAtStart) return
    clearInterval(timer)
    if (requestedAt === undefined) requestStop({ npm: 'has ended' })
  }, parentPollMs).unref()
}

/** Node resets ignored signals before scripts run, so the check uses other traces of `nohup`. */
function isHangupIgnored({ isNohup }: ReturnType<typeof readLauncher>): boolean {
  if (isNohup || hasNohupInput()) return true
  const ancestor = findNonNodeAncestor()
  // The first process of a container or a machine may ignore signals for other reasons.
  return ancestor > 1 && (readStatusField(ancestor, 'SigIgn', 16) & 1) === 1
}

/** Returns true if stdin is a write-only /dev/null: `nohup` replaces a terminal with it, so that every read fails. */
function hasNohupInput(): boolean {
  const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(readText('/proc/self/fdinfo/0'))?.[1] ?? '0', 8)
  const isWriteOnly = (flags & 3) === 1
  return isWriteOnly && readLink('/proc/self/fd/0') === '/dev/null'
}

function findNonNodeAncestor(): number {
  let pid = process.ppid
  while (pid > 1 && basename(readLink(`/proc/${pid}/exe`)).startsWith('node'))
    pid = readStatusField(pid, 'PPid', 10)
  return pid
}

function readStatusField(pid: number, field: string, radix: number): number {
  const lines = readText(`/proc/${pid}/status`).split('\n')
  const value = lines.find((line) => line.startsWith(`${field}:`))?.split(/\s+/)[1] ?? '0'
  // Only the lowest bits of the mask are needed; the entire mask does not fit in a number.
  return Number.parseInt(value.slice(-8), radix)
}

/** Returns an empty string if there is no /proc, or if the process has ended or belongs to another user. */
const readText = (path: string) => emptyOnError(() => readFileSync(path, 'utf8'))
const readLink = (path: string) => emptyOnError(() => readlinkSync(path))

function emptyOnError(readValue: () => string): string {
  try {
    return readValue()
  } catch {
    return ''
  }
}

const stopTimeoutMs = 20_000

export async function start(settings: Settings): Promise<void> {
  try {
    await startOrThrow(settings)
  } catch (thrown) {
    const explanation = explainStart(thrown, settings)
    throw explanation === undefined ? thrown : new SettingsError(explanation)
  }
}

async function startOrThrow(settings: Settings): Promise<void> {
  // A closed terminal or pipe must not terminate the service.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const [service] = await Promise.all([compose(settings), checkChromium(settings.chromiumPath)])
  for (const warning of settings.warnings) service.log.warn({}, warning)
  const newKey = await ensureFirstKey({
    store: service.store,
    file: keyFile(settings.store.dataDir),
    configuredKey: settings.firstKey,
    credits: settings.limits.teamCredits,
  })
  handleUncaughtErrors(service)
  onStopRequest(service.log, async () => {
    await service.stop(stopTimeoutMs)
    process.exit(0)
  })
  await service.listen()
  const consoleUrl = await getConsoleUrl(service, settings)
  process.stdout.write(renderStartScreen(service, settings, { newKey, consoleUrl }))
}

/** Time for running calls after a crash; after twice this time the process exits in any case. */
const crashTimeoutMs = 5000

/** The error leaves the state unknown: running calls finish, the process exits, and its supervisor restarts it. */
function handleUncaughtErrors(service: Pick<Service, 'log' | 'stop'>): void {
  let isEnding = false
  process.on('uncaughtException', (cause, origin) => {
    service.log.error({ cause, origin }, 'uncaught error; the service stops and must be restarted')
    if (isEnding) return
    isEnding = true
    const exit = () => process.exit(1)
    setTimeout(exit, 2 * crashTimeoutMs)
    service.stop(crashTimeoutMs, { isCrash: true }).then(exit, (failure) => {
      service.log.error({ cause: failure }, 'the service could not be stopped cleanly')
      exit()
    })
  })
}

async function getConsoleUrl(service: Service, { http, role }: Settings): Promise<string | undefined> {
  const url = service.publicUrl()
  const isLocal = isLoopback(http.host) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (!isLocal || role === 'worker') return undefined
  const code = await service.newConsoleCode()
  return code === undefined ? undefined : `${url}/console/#code=${code}`
}

function renderKeyLine({ store, firstKey }: Settings, newKey: string | undefined): string {
  const path = join(store.dataDir, 'api-key')
  // A new key is shown only on a terminal, because logs are stored and others read them.
  if (newKey && process.stdout.isTTY)
    return `  Key of the first team, shown once and stored in ${path}:\n\n      ${newKey}\n`
  if (newKey) return `  Key of the first team: in ${path}\n`
  return `  Key: the one created before${firstKey ? ' (API_KEY)' : `, in ${path}`}\n`
}

function renderStartScreen(
  service: Service,
  settings: Settings,
  { newKey, consoleUrl }: { newKey: string | undefined; consoleUrl: string | undefined },
): string {
  const url = service.publicUrl()
  const shownKey = newKey && process.stdout.isTTY ? newKey : '<key>'
  const rows = service.capabilities().map(({ name, available, note, enable, place }) => {
    const hint = enable ?? place
    const hintText = hint === undefined ? '' : ` (${hint})`
    return `  ${available ? '✓' : '·'} ${name.padEnd(27)} ${note}${hintText}`
  })
  const example = `  curl ${url}/v2/scrape -H 'authorization: Bearer ${shownKey}' \\
    -H 'content-type: application/json' -d '{"url":"https://example.com"}'`
  return `
  Winnow ${version} listens on ${url} as ${settings.role}; guides and reference are at ${url}/docs
${consoleUrl === undefined ? '' : `  Console, once within 10 minutes and from this machine: ${consoleUrl}\n`}
${rows.join('\n')}

${settings.http.auth ? renderKeyLine(settings, newKey) : '  AUTH=off: every call from this machine acts as the first team\n'}
${example}

`
}

const run = promisify(execFile)

/** A wrong path would only be noticed later, as empty pages. */
async function checkChromium(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const result = await run(path, ['--version'], { timeout: 10_000, env: {} }).then(
    ({ stdout }) => stdout,
    (thrown: Error) => thrown,
  )
  if (typeof result === 'string' && /chrom/i.test(result)) return
  const reason = typeof result === 'string' ? 'it is not a Chromium' : 'it cannot be started'
  throw new SettingsError(
    `CHROMIUM_PATH=${path} cannot be used: ${reason}. Set it to a Chromium or Chrome, or unset it so that the start looks for one.`,
  )
}
