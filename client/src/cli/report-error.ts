import * as errors from '../errors.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { safeLine, safeText } from './safe-text.ts'

/** Prints the error and a suggested fix. Returns the exit code. */
export function reportError(thrown: unknown): ExitCode {
  const lines = thrown instanceof errors.WinnowError ? describeError(thrown) : describeUnknown(thrown)
  process.stderr.write(`${lines.map((line) => `winnow: ${safeText(line)}`).join('\n')}\n`)
  return toExitCode(thrown)
}

function toExitCode(thrown: unknown): ExitCode {
  if (thrown instanceof errors.ConnectionError) return exitCodes.noService
  if (thrown instanceof errors.UnexpectedResponseError) return exitCodes.noService
  if (thrown instanceof errors.AuthenticationError) return exitCodes.keyRejected
  if (thrown instanceof errors.PermissionError) return exitCodes.keyRejected
  return exitCodes.failed
}

const maxDetails = 5

function describeError(error: errors.WinnowError): string[] {
  const code = error.code === '' ? '' : ` (${error.code})`
  return [
    safeLine(error.message) + code,
    ...formatDetails(error.details).slice(0, maxDetails),
    ...(error.hint === undefined ? [] : [safeLine(error.hint)]),
    ...(error instanceof errors.ScrapeError && error.jobId !== undefined
      ? [`"winnow ask 'why did this fail?' --job ${safeLine(error.jobId)}" looks into it.`]
      : []),
    ...suggestFix(error),
  ]
}

function formatDetails(details: unknown): string[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((detail: unknown) => {
    if (typeof detail === 'string') return [`  ${safeLine(detail)}`]
    if (typeof detail !== 'object' || detail === null) return []
    const { path, message } = detail as { path?: unknown; message?: unknown }
    if (typeof message !== 'string') return []
    const location = Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : ''
    return [`  ${location === '' ? '' : `${location}: `}${safeLine(message)}`]
  })
}

function suggestFix(error: errors.WinnowError): string[] {
  if (error instanceof errors.ConnectionError)
    return ['Start it with "npm start", or name another with --url or WINNOW_URL.']
  if (error instanceof errors.UnexpectedResponseError)
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

function describeUnknown(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [String(thrown)]
  // The message of a system error already contains the path and the reason.
  if ('code' in thrown && 'syscall' in thrown)
    return [`${thrown.message}. Check the path and its permissions.`]
  return [
    thrown.stack ?? thrown.message,
    'This is a fault of the program. Please report it with these lines.',
  ]
}
