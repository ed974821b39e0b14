import { AppError } from '../../platform/errors.ts'

/**
 * Returns the reason of a model failure as the start of a warning, without a final period. Rethrows any other error.
 */
export function modelWarning(error: unknown): string {
  if (!(error instanceof AppError)) throw error
  if (error.code !== 'MODEL_FAILED' && error.code !== 'MODEL_BUDGET_SPENT') throw error
  const { reason } = error.detail
  const message = typeof reason === 'string' && reason !== '' ? reason : error.message
  return `${message.replace(/\.+$/, '')} (${error.code})`
}
