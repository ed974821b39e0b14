import { destination, pino } from 'pino'

/** Structured log lines. Secrets are redacted by name, wherever they stand. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  format: 'pretty' | 'json'
}

const secrets = new Set(['authorization', 'cookie', 'key', 'secret', 'password', 'headers'])

export function createLog(options: LogOptions): Log {
  const settings = { level: options.level, base: null, errorKey: 'cause' }
  const lines =
    options.format === 'json' ? pino(settings, bufferedOutput()) : pino(settings, { write: writePretty })
  return {
    debug: (fields, message) => lines.debug(redacted(fields), message),
    info: (fields, message) => lines.info(redacted(fields), message),
    warn: (fields, message) => lines.warn(redacted(fields), message),
    error: (fields, message) => lines.error(redacted(fields), message),
  }
}

/** A write per line would cost more than making the line; half a second is soon enough for a reader. */
function bufferedOutput() {
  const output = destination({ fd: 1, minLength: 8 * 1024, sync: true })
  setInterval(() => output.flushSync(), 500).unref()
  process.on('exit', () => output.flushSync())
  return output
}

function redacted(fields: object): object {
  let copy: Record<string, unknown> | undefined
  for (const name in fields) {
    // `name` was just read off `fields`.
    const value = fields[name as keyof typeof fields] as unknown
    const shown = secrets.has(name) ? '[redacted]' : isPlainObject(value) ? redacted(value) : value
    if (shown === value) continue
    copy ??= { ...fields }
    copy[name] = shown
  }
  return copy ?? fields
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

const names: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' }

function writePretty(line: string): void {
  const { level, time, msg, ...fields } = JSON.parse(line)
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${printable(value)}`)
  process.stdout.write(
    `${new Date(time).toISOString().slice(11, 23)} ${names[level] ?? level} ${msg} ${shown.join(' ')}\n`,
  )
}

/** Values come from outside: control characters must not reach a terminal as they are. */
function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (found) => `\\x${found.charCodeAt(0).toString(16)}`)
}
