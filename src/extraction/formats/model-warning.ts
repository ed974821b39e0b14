import { AppError } from '../../platform/errors.ts'

/** Why a language model could not help, in words for a warning that go on behind it. Anything else is thrown again. */
export function modelWarning(thrown: unknown): string {
  if (!(thrown instanceof AppError)) throw thrown
  if (thrown.code !== 'MODEL_FAILED' && thrown.code !== 'MODEL_BUDGET_SPENT') throw thrown
  const { reason } = thrown.detail
  const why = typeof reason === 'string' && reason !== '' ? reason : thrown.message
  return `${why.replace(/\.+$/, '')} (${thrown.code})`
}
