import { writeSync } from 'node:fs'
import { codeOf } from './errors.ts'
import { withoutUserinfo } from './url.ts'

/** Writer of structured log lines. Secrets are redacted by field name, at any depth, and no URL contains a password. */
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
  return createLogWith(
    options,
    options.format === 'json' ? bufferedLines() : (line) => void process.stdout.write(line),
  )
}

/** Writes without `process.stdout`, because the main thread forwards that output of threads and may be blocked. */
export function createDirectLog(options: LogOptions): Log {
  return createLogWith(options, writeAll)
}

function createLogWith(options: LogOptions, write: (line: string) => void): Log {
  const line = options.format === 'json' ? jsonLine : prettyLine
  const minLevel = levels.indexOf(options.level)
  const writerFor = (level: Exclude<Level, 'silent'>) => {
    if (levels.indexOf(level) < minLevel) return () => {}
    return (fields: object, message: string) => write(line(level, fields, message))
  }
  return {
    debug: writerFor('debug'),
    info: writerFor('info'),
    warn: writerFor('warn'),
    error: writerFor('error'),
  }
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function jsonLine(level: string, fields: object, message: string): string {
  return `${JSON.stringify({ level, time: Date.now(), message, ...fields }, toLoggable)}\n`
}

function prettyLine(level: string, fields: object, message: string): string {
  const texts = Object.entries(fields).map(
    ([name, value]) => `${name}=${JSON.stringify(toLoggable(name, value), toLoggable)}`,
  )
  return `${new Date().toISOString().slice(11, 23)} ${level} ${message} ${texts.join(' ')}\n`
}

const secrets = new Set(['authorization', 'cookie', 'key', 'secret', 'password', 'headers'])

/** JSON escapes control characters, so a value cannot break a line or a terminal. */
function toLoggable(name: string, value: unknown): unknown {
  if (secrets.has(name)) return '[redacted]'
  if (typeof value === 'string') return withoutUserinfo(value)
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value
}

/** Returns a writer that buffers lines for half a second: a write per line would cost more than building the line. */
function bufferedLines(): (line: string) => void {
  let buffer = ''
  const flush = () => {
    if (buffer === '') return
    const lines = buffer
    buffer = ''
    writeAll(lines)
  }
  setInterval(flush, 500).unref()
  process.on('exit', flush)
  return (line) => {
    buffer += line
    if (buffer.length > 8192) flush()
  }
}

/** A slow reader of the pipe must not lose lines, and a closed pipe must not end the service. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text)
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(1, bytes, offset)
    } catch (thrown) {
      if (codeOf(thrown) !== 'EAGAIN') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
