import { writeSync } from 'node:fs'
import { codeOf } from './errors.ts'
import { withoutUserinfo } from './url.ts'

/** Structured log lines. Secrets are redacted by name, at any depth, and no URL shows a password. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Level = (typeof levels)[number]

export interface LogOptions {
  level: Level
  format: 'pretty' | 'json'
}

export function createLog(options: LogOptions): Log {
  return logWith(
    options,
    options.format === 'json' ? bufferedLines() : (line) => void process.stdout.write(line),
  )
}

/** Writes every line at once and without the main thread, which carries the standard output of other threads. */
export function createDirectLog(options: LogOptions): Log {
  return logWith(options, writeAll)
}

function logWith(options: LogOptions, write: (line: string) => void): Log {
  const line = options.format === 'json' ? jsonLine : prettyLine
  const least = levels.indexOf(options.level)
  const at = (level: Exclude<Level, 'silent'>) => {
    if (levels.indexOf(level) < least) return () => {}
    return (fields: object, message: string) => write(line({ level, time: Date.now(), message, fields }))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface Entry {
  level: string
  time: number
  message: string
  fields: object
}

function jsonLine({ level, time, message, fields }: Entry): string {
  return `${JSON.stringify({ level, time, message, ...fields }, shown)}\n`
}

function prettyLine({ level, time, message, fields }: Entry): string {
  const texts = Object.entries(fields).map(
    ([name, value]) => `${name}=${JSON.stringify(shown(name, value), shown)}`,
  )
  return `${new Date(time).toISOString().slice(11, 23)} ${level} ${message} ${texts.join(' ')}\n`
}

const secrets = new Set(['authorization', 'cookie', 'key', 'secret', 'password', 'headers'])

/** The content of a line: JSON escapes control characters, so an external value cannot break it or a terminal. */
function shown(name: string, value: unknown): unknown {
  if (secrets.has(name)) return '[redacted]'
  if (typeof value === 'string') return withoutUserinfo(value)
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value
}

/** A write per line would cost more than building the line; a delay of half a second is acceptable. */
function bufferedLines(): (line: string) => void {
  let waiting = ''
  const flush = () => {
    if (waiting === '') return
    const lines = waiting
    waiting = ''
    writeAll(lines)
  }
  setInterval(flush, 500).unref()
  process.on('exit', flush)
  return (line) => {
    waiting += line
    if (waiting.length > 8192) flush()
  }
}

/** A slow reader of the pipe must not lose lines, and a reader that has gone must not end the service. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (thrown) {
      if (codeOf(thrown) !== 'EAGAIN') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
