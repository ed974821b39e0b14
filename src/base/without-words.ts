import { AppError } from './errors.ts'

/** An error in a form that may be logged although nothing of the call may be kept. */
export function withoutWords(error: AppError): AppError {
  if (error.cause === undefined) return error
  return new AppError(error.code, error.detail, { message: error.message, cause: unsaid(error.cause) })
}

/**
 * The location of an error without its message: messages of libraries contain URLs and page content, and the call may be
 * one of which nothing may be kept.
 */
export function unsaid(thrown: unknown): Error {
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
