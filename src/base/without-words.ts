import { AppError } from './errors.ts'

/** An error of a call of which nothing may be kept, as it may be written into a log. */
export function withoutWords(error: AppError): AppError {
  if (error.cause === undefined) return error
  return new AppError(error.code, error.detail, { message: error.message, cause: unsaid(error.cause) })
}

/**
 * Where something happened, and no word of what was said there: messages of libraries name addresses and repeat what pages
 * hold, and the call may be one of which nothing may be kept.
 */
export function unsaid(thrown: unknown): Error {
  const told = new Error('not told, as it may name what a call was about')
  told.name = nameOf(thrown)
  told.stack = [`${told.name}: ${told.message}`, ...framesOf(thrown)].join('\n')
  return told
}

/** With the code that Node gives an error, which is a word out of a list. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const code = 'code' in thrown && /^[A-Z_]{1,60}$/.test(String(thrown.code)) ? ` ${thrown.code}` : ''
  return thrown.constructor.name + code
}

function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return []
  // The message stands before the frames and may have lines of any look; what it says is cut off with it.
  const stack = thrown.stack ?? ''
  const start = stack.indexOf(thrown.message)
  const frames = start === -1 ? '' : stack.slice(start + thrown.message.length)
  return frames.split('\n').filter((line) => /^ {4}at /.test(line))
}
