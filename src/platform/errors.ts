import errorTable from './error-table.json' with { type: 'json' }

/** Status 502 is reserved for calls of which nothing was executed, because clients retry it. */
export type ErrorCode = keyof typeof errorTable

export type ErrorDetail = Record<string, unknown>

export interface StoredError {
  code: ErrorCode
  error: string
  detail: ErrorDetail
}

/** Error with a code. Any other error that crosses a module boundary is a bug and renders as INTERNAL. */
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

export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('INTERNAL', {}, { cause: thrown })
}

export function isDamaged(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.code === 'STORED_DATA_DAMAGED'
}

export function isStoreUnavailable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'STORE_UNAVAILABLE'
}

export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}

export const errorCodes = Object.keys(errorTable) as ErrorCode[]

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}

export function describeError(code: ErrorCode): { status: number; message: string } {
  return errorTable[code]
}

interface StoreFailure {
  part: 'database' | 'blobs'
  reason: string
  retryAfter: number
}

export function storeUnavailable({ part, reason, retryAfter }: StoreFailure, cause: unknown): AppError {
  const advice = / is full\b/.test(reason)
    ? 'Call again when the operator has freed space there.'
    : 'Call again in a moment.'
  const message = `The store of this service is unavailable (${part}): ${reason}. ${advice}`
  return new AppError('STORE_UNAVAILABLE', { part, reason, retryAfter }, { message, cause })
}

/** Folder of the store. Error messages for callers contain its name; only the log contains its path. */
export interface DiskFolder {
  part: 'database' | 'blobs'
  /** Name of the setting and the path relative to it, such as `DATA_DIR/blobs`. */
  name: string
  path: string
}

const describeFullDisk = ({ name }: DiskFolder) => `the disk of ${name} is full`
const reasons: Record<string, (folder: DiskFolder) => string> = {
  ENOSPC: describeFullDisk,
  EDQUOT: describeFullDisk,
  EFBIG: describeFullDisk,
  SQLITE_FULL: describeFullDisk,
  EROFS: ({ name }) => `the disk of ${name} cannot be written`,
  SQLITE_READONLY: ({ name }) => `the disk of ${name} cannot be written`,
  EIO: ({ name }) => `the disk of ${name} reports an error`,
  SQLITE_IOERR: ({ name }) => `the disk of ${name} reports an error`,
  EMFILE: () => 'too many files are open',
  ENFILE: () => 'too many files are open',
  SQLITE_BUSY: () => 'another process holds the database',
  SQLITE_CANTOPEN: () => 'the database cannot be opened',
}

/** Returns other causes unchanged. `code` is a system error code or the primary result code of SQLite. */
export function toDiskError(code: string, folder: DiskFolder, cause: unknown): unknown {
  const reason = reasons[code]?.(folder)
  if (reason === undefined) return cause
  const causeWithPath = new Error(`The folder ${folder.path} cannot be used.`, { cause })
  return storeUnavailable({ part: folder.part, reason, retryAfter: 5 }, causeWithPath)
}
