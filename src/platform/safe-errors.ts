import { AppError } from './errors.ts'

/** Messages of libraries explain the error in the request, so callers get them without addresses and paths. */
export function stripInternalAddresses(text: string): string {
  return text
    .replace(/\bfile:\/\/\S*/gi, '[path]')
    .replace(/(?<![\w:/.])(?:\/[\w.@+~-]+){2,}\/?/g, '[path]')
    .replace(
      /\[?(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})\]?(?::\d+)?(?!\w)/gi,
      // The pattern also matches a time of day.
      (match) => (/^\d{1,2}:\d{2}:\d{2}$/.test(match) ? match : '[address]'),
    )
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    .replace(/\blocalhost(?::\d+)?\b/gi, '[address]')
}

/** Returns an error that may be logged even if no data of the call may be stored. */
export function stripPrivateText(error: AppError): AppError {
  if (error.cause === undefined) return error
  return new AppError(error.code, error.detail, { message: error.message, cause: redactedError(error.cause) })
}

/** Keeps the location without the message, because messages of libraries contain URLs and page content. */
export function redactedError(thrown: unknown): Error {
  const redacted = new Error('withheld, because it may contain data of the call')
  redacted.name = getSafeName(thrown)
  redacted.stack = [`${redacted.name}: ${redacted.message}`, ...getStackFrames(thrown)].join('\n')
  return redacted
}

function getSafeName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const code = 'code' in thrown && /^[A-Z_]{1,60}$/.test(String(thrown.code)) ? ` ${thrown.code}` : ''
  return thrown.constructor.name + code
}

function getStackFrames(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return []
  // The message precedes the frames and may have arbitrary lines, so everything before the frames is removed.
  const stack = thrown.stack ?? ''
  const start = stack.indexOf(thrown.message)
  const frames = start === -1 ? '' : stack.slice(start + thrown.message.length)
  return frames.split('\n').filter((line) => /^ {4}at /.test(line))
}
