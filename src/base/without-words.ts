import { AppError } from './errors.ts'

/**
 * An error as it may be written into a log although nothing of its call may be kept: where it happened, and no word of what it
 * says, since messages of libraries name addresses and repeat what pages hold.
 */
export function withoutWords(error: AppError): AppError {
  if (error.cause === undefined) return error
  const cause = new Error('not told: nothing of this call may be kept')
  cause.name = error.cause instanceof Error ? error.cause.constructor.name : typeof error.cause
  cause.stack = [`${cause.name}: ${cause.message}`, ...framesOf(error.cause)].join('\n')
  return new AppError(error.code, error.detail, { message: error.message, cause })
}

function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return []
  // The message stands before the frames and may have lines of any look; what it says is cut off with it.
  const stack = thrown.stack ?? ''
  const start = stack.indexOf(thrown.message)
  const frames = start === -1 ? '' : stack.slice(start + thrown.message.length)
  return frames.split('\n').filter((line) => /^ {4}at /.test(line))
}
