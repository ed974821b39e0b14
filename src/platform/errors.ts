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

/** True if a part of the store cannot be used now. */
export function isStoreUnavailable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'STORE_UNAVAILABLE'
}

/** The code of an error of Node or of a library; empty if it has none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export function describeError(code: ErrorCode): { status: number; message: string } {
  return errorTable[code]
}

/** A part of the store that cannot be used now. */
interface Failing {
  part: 'database' | 'blobs'
  reason: string
  retryAfter: number
}

/** The error of a call that needs a part of the store which cannot be used now. */
export function storeUnavailable({ part, reason, retryAfter }: Failing, cause: unknown): AppError {
  const advice = / is full\b/.test(reason)
    ? 'Call again when the operator has freed space there.'
    : 'Call again in a moment.'
  const message = `The store of this service is unavailable (${part}): ${reason}. ${advice}`
  return new AppError('STORE_UNAVAILABLE', { part, reason, retryAfter }, { message, cause })
}

/** A folder as callers may see it, and its path, which only the log has. */
export interface DiskFolder {
  part: 'database' | 'blobs'
  /** The setting that has it, and the path inside it. */
  name: string
  path: string
}

const isFull = ({ name }: DiskFolder) => `the disk of ${name} is full`
const reasons: Record<string, (folder: DiskFolder) => string> = {
  ENOSPC: isFull,
  EDQUOT: isFull,
  EFBIG: isFull,
  SQLITE_FULL: isFull,
  EROFS: ({ name }) => `the disk of ${name} cannot be written`,
  SQLITE_READONLY: ({ name }) => `the disk of ${name} cannot be written`,
  EIO: ({ name }) => `the disk of ${name} reports an error`,
  SQLITE_IOERR: ({ name }) => `the disk of ${name} reports an error`,
  EMFILE: () => 'too many files are open',
  ENFILE: () => 'too many files are open',
  SQLITE_BUSY: () => 'another process holds the database',
  SQLITE_CANTOPEN: () => 'the database cannot be opened',
}

/** Returns anything that is not a failure of a disk as it is. `code` is of the system, or the primary result code of SQLite. */
export function toDiskError(code: string, folder: DiskFolder, cause: unknown): unknown {
  const reason = reasons[code]?.(folder)
  if (reason === undefined) return cause
  const atPath = new Error(`The folder ${folder.path} cannot be used.`, { cause })
  return storeUnavailable({ part: folder.part, reason, retryAfter: 5 }, atPath)
}
