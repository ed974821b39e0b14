import { AppError } from './errors.ts'

/**
 * A message of a library, made safe for callers: without addresses and paths of this machine and its network. Our own messages
 * never contain any. This is for library messages that are passed on because they explain what was wrong with the request.
 */
export function stripInternalAddresses(text: string): string {
  return text
    .replace(/\bfile:\/\/\S*/gi, '[path]')
    .replace(/(?<![\w:/.])(?:\/[\w.@+~-]+){2,}\/?/g, '[path]')
    .replace(
      /\[?(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})\]?(?::\d+)?(?!\w)/gi,
      (found) => (isTime(found) ? found : '[address]'),
    )
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    .replace(/\blocalhost(?::\d+)?\b/gi, '[address]')
}

/** Only two colons are usually a time of day. */
function isTime(text: string): boolean {
  return /^\d{1,2}:\d{2}:\d{2}$/.test(text)
}

/** An error in a form that may be logged although nothing of the call may be kept. */
export function stripPrivateText(error: AppError): AppError {
  if (error.cause === undefined) return error
  return new AppError(error.code, error.detail, { message: error.message, cause: redactedError(error.cause) })
}

/**
 * The location of an error without its message: messages of libraries contain URLs and page content, and the call may be
 * one of which nothing may be kept.
 */
export function redactedError(thrown: unknown): Error {
  const told = new Error('withheld, because it may contain data of the call')
  told.name = nameOf(thrown)
  told.stack = [`${told.name}: ${told.message}`, ...framesOf(thrown)].join('\n')
  return told
}

/** With the error code of Node, which is from a fixed list. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const code = 'code' in thrown && /^[A-Z_]{1,60}$/.test(String(thrown.code)) ? ` ${thrown.code}` : ''
  return thrown.constructor.name + code
}

function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return []
  // The message precedes the frames and may have arbitrary lines, so everything before the frames is removed.
  const stack = thrown.stack ?? ''
  const start = stack.indexOf(thrown.message)
  const frames = start === -1 ? '' : stack.slice(start + thrown.message.length)
  return frames.split('\n').filter((line) => /^ {4}at /.test(line))
}
