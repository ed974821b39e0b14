import { errorTable } from './error-table.ts'

export type ErrorCode = keyof typeof errorTable

export type ErrorDetail = Record<string, unknown>

/** An error as it is stored with a job and travels between processes. */
export interface StoredError {
  code: ErrorCode
  error: string
  detail: ErrorDetail
}

/** The only error that may cross a module border. Everything else is a bug and renders as INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(
    code: ErrorCode,
    detail: ErrorDetail = {},
    options: { message?: string; cause?: unknown } = {},
  ) {
    super(options.message ?? errorTable[code].message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return errorTable[this.code].status
  }

  toStored(): StoredError {
    return { code: this.code, error: this.message, detail: this.detail }
  }

  static fromStored(stored: StoredError): AppError {
    return new AppError(stored.code, stored.detail, { message: stored.error })
  }
}

/** Converts anything thrown to an error that can be stored or rendered. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('INTERNAL', {}, { cause: thrown })
}

/** True if stored bytes are not those that were written, or are missing. */
export function isDamaged(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.code === 'STORED_DATA_DAMAGED'
}

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export function describeError(code: ErrorCode): { status: number; message: string } {
  return errorTable[code]
}
