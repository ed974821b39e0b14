import { dirname } from 'node:path'
import { AppError } from '../base/errors.ts'
import type { Settings } from '../settings.ts'

/**
 * One sentence that tells the operator how to fix a failed start. Undefined: it is a bug, and its stack is the best
 * description.
 */
export function explainStart(thrown: unknown, settings: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const found =
      explainListening(cause, settings) ?? explainStore(cause, settings) ?? explainFolder(cause, settings)
    if (found !== undefined) return found
  }
  return explainOutage(thrown, settings)
}

type SystemError = Error & { code?: string; errcode?: number; syscall?: string; path?: string }

function explainListening({ code, syscall }: SystemError, { http }: Settings): string | undefined {
  if (syscall === 'getaddrinfo' && code !== undefined && !http.host.includes('.'))
    return `HOST=${http.host} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all of its addresses.`
  if (syscall !== 'listen') return undefined
  if (code === 'EADDRINUSE')
    return `Port ${http.port} of ${http.host} is in use by another program. Stop that program, or set another PORT.`
  if (code === 'EACCES')
    return `Port ${http.port} needs privileges that this user does not have. Set PORT above 1023.`
  return `HOST=${http.host} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all of its addresses.`
}

/** SQLSTATE → what is wrong with DATABASE_URL. */
const refusals: Record<string, string> = {
  '28P01': 'its password is wrong',
  '28000': 'its user may not log in',
  '3D000': 'the database does not exist on the server',
  '42501': 'its user may not create tables',
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function explainStore({ code = '', errcode, message }: SystemError, { store }: Settings): string | undefined {
  const file = `${store.dataDir}/winnow.sqlite`
  const result = (errcode ?? 0) & 0xff
  if (result === 11 || result === 26)
    return `${file} is damaged or not a database. Restore it from a backup, or set DATA_DIR to an empty folder to start from scratch.`
  if (/corrupted migrations/.test(message))
    return 'The store was written by a newer version of this program. Start that version, or restore a backup from before.'
  if (store.databaseUrl === undefined) return undefined
  const reason = refusals[code] ?? (isUnreachable(code, message) ? 'the server does not answer' : undefined)
  return (
    reason &&
    `DATABASE_URL cannot be used: ${reason} (${hostOf(store.databaseUrl)}). Fix it, then start again.`
  )
}

function isUnreachable(code: string, message: string): boolean {
  return unreachable.has(code) || /^(timeout e|Connection terminated)/.test(message)
}

/** The reason that the adapter of the database found, which is in the first error or one of its causes. */
function explainOutage(thrown: unknown, { store }: Settings): string | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof AppError) || cause.code !== 'STORE_UNAVAILABLE') continue
    if (store.databaseUrl !== undefined)
      return `DATABASE_URL cannot be used: ${cause.detail.reason} (${hostOf(store.databaseUrl)}). Fix it, then start again.`
  }
  return undefined
}

/** Without user and password. */
function hostOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

const folderProblems: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it cannot be written',
  ENOTDIR: 'it is a file, or inside a file',
  EEXIST: 'it is a file',
}

function explainFolder(
  { code = '', errcode, syscall, path }: SystemError,
  { store }: Settings,
): string | undefined {
  const isOfDatabase = errcode !== undefined && [8, 10, 13, 14].includes(errcode & 0xff)
  const problem =
    syscall === 'listen'
      ? undefined
      : (folderProblems[code] ?? (isOfDatabase ? 'it cannot be written' : undefined))
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || ((errcode ?? 0) & 0xff) === 13
  const isElsewhere = path !== undefined && !path.startsWith(store.dataDir)
  if (isFull && isElsewhere)
    return `The disk of ${dirname(path)} is full. Free space there, then start again.`
  if (isFull)
    return `The disk of DATA_DIR=${store.dataDir} is full. Free space there, or set DATA_DIR to another folder.`
  return problem && `DATA_DIR=${store.dataDir} cannot be used: ${problem}. Set DATA_DIR to a writable folder.`
}
