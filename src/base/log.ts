import { pino } from 'pino'

/** Structured log lines. Secrets are redacted by name wherever they stand on the first two levels. */
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

const secrets = ['authorization', 'cookie', 'key', 'secret', 'password', 'headers']

export function createLog(options: LogOptions): Log {
  const redact = { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' }
  const settings = { level: options.level, base: null, redact, errorKey: 'cause' }
  return options.format === 'json' ? pino(settings) : pino(settings, { write: writePretty })
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
