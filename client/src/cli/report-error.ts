import * as errors from '../errors.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { safeLine, safeText } from './safe-text.ts'

/** Says what failed and what to do next. */
export function reportError(thrown: unknown): ExitCode {
  const lines = thrown instanceof errors.WinnowError ? describe(thrown) : unknown(thrown)
  process.stderr.write(`${lines.map((line) => `winnow: ${safeText(line)}`).join('\n')}\n`)
  return exitCodeOf(thrown)
}

function exitCodeOf(thrown: unknown): ExitCode {
  if (thrown instanceof errors.ConnectionError) return exitCodes.noService
  if (thrown instanceof errors.UnexpectedAnswerError) return exitCodes.noService
  if (thrown instanceof errors.AuthenticationError) return exitCodes.keyRefused
  if (thrown instanceof errors.PermissionError) return exitCodes.keyRefused
  return exitCodes.failed
}

const maxDetails = 5

function describe(error: errors.WinnowError): string[] {
  const code = error.code === '' ? '' : ` (${error.code})`
  return [
    safeLine(error.message) + code,
    ...detailsOf(error.details).slice(0, maxDetails),
    ...(error.hint === undefined ? [] : [safeLine(error.hint)]),
    ...(error instanceof errors.ScrapeError && error.jobId !== undefined
      ? [`"winnow ask 'why did this fail?' --job ${safeLine(error.jobId)}" looks into it.`]
      : []),
    ...nextStep(error),
  ]
}

function detailsOf(details: unknown): string[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((each: unknown) => {
    if (typeof each === 'string') return [`  ${safeLine(each)}`]
    if (typeof each !== 'object' || each === null) return []
    const { path, message } = each as { path?: unknown; message?: unknown }
    if (typeof message !== 'string') return []
    const where = Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : ''
    return [`  ${where === '' ? '' : `${where}: `}${safeLine(message)}`]
  })
}

function nextStep(error: errors.WinnowError): string[] {
  if (error instanceof errors.ConnectionError)
    return ['Start it with "npm start", or name another with --url or WINNOW_URL.']
  if (error instanceof errors.UnexpectedAnswerError)
    return ['Check --url or WINNOW_URL: something else answers there.']
  if (error instanceof errors.AuthenticationError)
    return ['Give a key with --key or WINNOW_API_KEY. --verbose says which one was used.']
  if (error instanceof errors.PermissionError)
    return ['This needs another key: --key or WINNOW_API_KEY. --verbose says which one was used.']
  if (error instanceof errors.RateLimitError && error.retryAfter !== undefined)
    return [`Try again in ${Math.ceil(error.retryAfter)} s.`]
  if (error instanceof errors.NotFoundError)
    return ['"winnow activity" and "winnow browser list" show the ids that there are.']
  if (error instanceof errors.UnavailableError)
    return ['"winnow doctor" says what is missing and how to get it.']
  if (error.requestId !== '' && error.status >= 500)
    return [`The log of the service has more under the request id ${error.requestId}.`]
  return []
}

function unknown(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [String(thrown)]
  // What the system says of files names the path and the reason.
  if ('code' in thrown && 'syscall' in thrown)
    return [`${thrown.message}. Check the path and its permissions.`]
  return [
    thrown.stack ?? thrown.message,
    'This is a fault of the program. Please report it with these lines.',
  ]
}
