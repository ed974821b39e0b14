import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { keyFile } from '../../accounts/key-file.ts'
import { parentAtStart } from '../../platform/child/starting-parent.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { compose, type Service } from '../compose.ts'
import { isLoopback, type Launcher, readLauncher, type Settings, SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { ensureFirstKey } from './first-key.ts'

/**
 * One sentence that tells the operator how to fix a failed start. Undefined: it is a bug, and its stack is the best
 * description.
 */
function explainStart(thrown: unknown, settings: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const found =
      explainListening(cause, settings) ?? explainStore(cause, settings) ?? explainFolder(cause, settings)
    if (found !== undefined) return found
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

/** SQLSTATE → what is wrong with DATABASE_URL. */
const refusals: Record<string, string> = {
  '28P01': 'its password is wrong',
  '28000': 'its user may not log in',
  '3D000': 'the database does not exist on the server',
  '42501': 'its user may not create tables',
}

const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
])

function explainStore({ code = '', errcode, message }: SystemError, { store }: Settings): string | undefined {
  const file = `${store.dataDir}/winnow.sqlite`
  const result = (errcode ?? 0) & 0xff
  if (result === 11 || result === 26)
    return `${file} is damaged or not a database. Restore it from a backup, or set DATA_DIR to an empty folder to start from scratch.`
  if (/corrupted migrations/.test(message))
    return 'The store was written by a newer version of this program. Start that version, or restore a backup from before.'
  if (store.databaseUrl === undefined) return undefined
  const reason = refusals[code] ?? (isUnreachable(code, message) ? 'the server does not answer' : undefined)
  return (
    reason &&
    `DATABASE_URL cannot be used: ${reason} (${hostOf(store.databaseUrl)}). Fix it, then start again.`
  )
}

function isUnreachable(code: string, message: string): boolean {
  return unreachable.has(code) || /^(timeout e|Connection terminated)/.test(message)
}

/** The reason that the adapter of the database found, which is in the first error or one of its causes. */
function explainOutage(thrown: unknown, { store }: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof AppError) || cause.code !== 'STORE_UNAVAILABLE') continue
    if (store.databaseUrl !== undefined)
      return `DATABASE_URL cannot be used: ${cause.detail.reason} (${hostOf(store.databaseUrl)}). Fix it, then start again.`
  }
  return undefined
}

/** Without user and password. */
function hostOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
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
  const isOfDatabase = errcode !== undefined && [8, 10, 13, 14].includes(errcode & 0xff)
  const problem =
    syscall === 'listen'
      ? undefined
      : (folderProblems[code] ?? (isOfDatabase ? 'it cannot be written' : undefined))
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) || ((errcode ?? 0) & 0xff) === 13
  const isElsewhere = path !== undefined && !path.startsWith(store.dataDir)
  if (isFull && isElsewhere)
    return `The disk of ${dirname(path)} is full. Free space there, then start again.`
  if (isFull)
    return `The disk of DATA_DIR=${store.dataDir} is full. Free space there, or set DATA_DIR to another folder.`
  return problem && `DATA_DIR=${store.dataDir} cannot be used: ${problem}. Set DATA_DIR to a writable folder.`
}

const parentPollMs = 500
/** Supervisors and terminals signal the whole process group, so one request may arrive several times within this time. */
const repeatedWithinMs = 500

/**
 * Calls `stop` at the first request to stop: SIGTERM, SIGINT, SIGHUP, or the end of the npm that started this process. A
 * second signal exits at once: running work is abandoned, and its leases expire.
 */
function onStopRequest({ log, launcher }: { log: Log; launcher: Launcher }, stop: () => void): void {
  const ignoresHangup = isHangupIgnored(launcher)
  let requestedAt: number | undefined
  const request = (reason: object) => {
    requestedAt = performance.now()
    log.info(reason, 'stopping; running calls may finish')
    stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && ignoresHangup)
        return log.warn({ signal }, 'ignored, because the service was started to outlive its terminal')
      if (requestedAt === undefined) request({ signal })
      else if (performance.now() - requestedAt > repeatedWithinMs) process.exit(1)
    })
  }
  if (!launcher.isNpm || ignoresHangup) return
  const watch = setInterval(() => {
    if (process.ppid === parentAtStart) return
    clearInterval(watch)
    if (requestedAt === undefined) request({ npm: 'has ended' })
  }, parentPollMs)
  watch.unref()
}

/**
 * True if this process was started with SIGHUP ignored, as `nohup` does. Node restores the default of every ignored signal
 * before any script runs, so the evidence is what `nohup` leaves otherwise, and the process that started Node.
 */
function isHangupIgnored({ isNohup }: Launcher): boolean {
  return isNohup || hasInputOfNohup() || isHangupIgnoredBy(starterOfNode())
}

/** `nohup` replaces a terminal by /dev/null as the input, and opens that for writing only, so that every read fails. */
function hasInputOfNohup(): boolean {
  const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(read('/proc/self/fdinfo/0'))?.[1] ?? '0', 8)
  const isWriteOnly = (flags & 3) === 1
  return isWriteOnly && link('/proc/self/fd/0') === '/dev/null'
}

/** The nearest ancestor that is not Node: npm and the preparation of the service are Node too. */
function starterOfNode(): number {
  let pid = process.ppid
  while (pid > 1 && basename(link(`/proc/${pid}/exe`)).startsWith('node')) pid = statusOf(pid, 'PPid', 10)
  return pid
}

function isHangupIgnoredBy(pid: number): boolean {
  // The first process of a container or a machine ignores what it likes.
  return pid > 1 && (statusOf(pid, 'SigIgn', 16) & 1) === 1
}

function statusOf(pid: number, field: string, radix: number): number {
  const lines = read(`/proc/${pid}/status`).split('\n')
  const value = lines.find((line) => line.startsWith(`${field}:`))?.split(/\s+/)[1] ?? '0'
  // Only the lowest bits of a mask are needed, and it has more than a number holds.
  return Number.parseInt(value.slice(-8), radix)
}

/** Empty where there is no /proc, and if the process has ended or belongs to another user. */
const read = (path: string) => orEmpty(() => readFileSync(path, 'utf8'))
const link = (path: string) => orEmpty(() => readlinkSync(path))

function orEmpty(work: () => string): string {
  try {
    return work()
  } catch {
    return ''
  }
}

/** How long running calls may continue after a signal to stop. */
const patience = 20_000

export async function start(settings: Settings): Promise<void> {
  try {
    await startOrThrow(settings)
  } catch (thrown) {
    const explained = explainStart(thrown, settings)
    throw explained === undefined ? thrown : new SettingsError(explained)
  }
}

async function startOrThrow(settings: Settings): Promise<void> {
  // A terminal or a pipe that has gone must not end the service.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const [service] = await Promise.all([compose(settings), checkChromium(settings.chromiumPath)])
  for (const warning of settings.warnings) service.log.warn({}, warning)
  const made = await ensureFirstKey({
    store: service.store,
    file: keyFile(settings.store.dataDir),
    given: settings.firstKey,
    credits: settings.limits.teamCredits,
  })
  installLastResort(service)
  stopOnRequest(service)
  await service.listen()
  const link = await consoleLink(service, settings)
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(startScreen(service, settings, { made, link, isTerminal }))
}

function stopOnRequest(service: Service): void {
  onStopRequest({ log: service.log, launcher: readLauncher() }, async () => {
    await service.stop(patience)
    process.exit(0)
  })
}

/** Running calls may finish within this time; after that the process exits in any case. */
const crashPatience = 5000

/**
 * Handles an uncaught error: a bug, after which the state of this process is unknown. The process accepts no new calls, lets
 * running ones finish, releases its leases and exits, so that its supervisor restarts it. The next process takes over
 * unfinished work, as after a power cut.
 */
function installLastResort(service: Pick<Service, 'log' | 'stop'>): void {
  let isEnding = false
  process.on('uncaughtException', (cause, origin) => {
    service.log.error({ cause, origin }, 'uncaught error; the service stops and must be restarted')
    if (isEnding) return
    isEnding = true
    const exit = () => process.exit(1)
    setTimeout(exit, 2 * crashPatience)
    service.stop(crashPatience, { isCrash: true }).then(exit, (failure) => {
      service.log.error({ cause: failure }, 'the service could not be stopped cleanly')
      exit()
    })
  })
}

/** Only where the link can be opened: on this machine, by an address of its own, with a key to be had for it. */
async function consoleLink(service: Service, { http, role }: Settings): Promise<string | undefined> {
  const url = service.publicUrl()
  const isHere = isLoopback(http.host) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (!isHere || role === 'worker') return undefined
  const code = await service.newConsoleCode()
  return code === undefined ? undefined : `${url}/console/#code=${code}`
}

interface Shown {
  /** The key, if it was just made. */
  made: string | undefined
  link: string | undefined
  /** True if what is shown is read by a person and not kept. */
  isTerminal: boolean
}

/** A key does not belong in a log, where others read it for as long as the log is kept: it is shown in a terminal only. */
function keyLine({ store, firstKey }: Settings, made: string | undefined, isTerminal: boolean): string {
  const path = join(store.dataDir, 'api-key')
  if (made && isTerminal)
    return `  Key of the first team, shown once and stored in ${path}:\n\n      ${made}\n`
  if (made) return `  Key of the first team: in ${path}\n`
  return `  Key: the one created before${firstKey ? ' (API_KEY)' : `, in ${path}`}\n`
}

function startScreen(service: Service, settings: Settings, { made, link, isTerminal }: Shown): string {
  const url = service.publicUrl()
  const rows = service.capabilities().map(({ name, available, note, enable, place }) => {
    const hint = enable ?? place
    const how = hint === undefined ? '' : ` (${hint})`
    return `  ${available ? '✓' : '·'} ${name.padEnd(27)} ${note}${how}`
  })
  const example = `  curl ${url}/v2/scrape -H 'authorization: Bearer ${made && isTerminal ? made : '<key>'}' \\
    -H 'content-type: application/json' -d '{"url":"https://example.com"}'`
  return `
  Winnow ${version} listens on ${url} as ${settings.role}; guides and reference are at ${url}/docs
${link === undefined ? '' : `  Console, once within 10 minutes and from this machine: ${link}\n`}
${rows.join('\n')}

${settings.http.auth ? keyLine(settings, made, isTerminal) : '  AUTH=off: every call from this machine acts as the first team\n'}
${example}

`
}

const run = promisify(execFile)

/** Without this check, a wrong path would only show much later, as empty pages. */
async function checkChromium(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const said = await run(path, ['--version'], { timeout: 10_000, env: {} }).then(
    ({ stdout }) => stdout,
    (thrown: Error) => thrown,
  )
  if (typeof said === 'string' && /chrom/i.test(said)) return
  const reason = typeof said === 'string' ? 'it is not a Chromium' : 'it cannot be started'
  throw new SettingsError(
    `CHROMIUM_PATH=${path} cannot be used: ${reason}. Set it to a Chromium or Chrome, or unset it so that the start looks for one.`,
  )
}
