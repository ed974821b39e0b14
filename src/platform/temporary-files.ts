import { createWriteStream, mkdtempSync } from 'node:fs'
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, codeOf } from './errors.ts'

export const processFolderPrefix = 'winnow-process-'

/** Returns the folder that the operator can change, for messages: TMPDIR as it was when the process started. */
export function operatorTemporaryFolder(): string {
  const folder = tmpdir()
  return basename(folder).startsWith(processFolderPrefix) ? dirname(folder) : folder
}

/** Only this module writes to the folder. A file is written completely, or the write fails. */
export async function createTemporaryFolder(name: string) {
  const path = await mkdtemp(join(tmpdir(), `winnow-${name}-`)).catch(throwTranslated)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

export function createTemporaryFolderSync(name: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `winnow-${name}-`))
  } catch (thrown) {
    return throwTranslated(thrown)
  }
}

export async function withTemporaryFolder<Result>(
  name: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await createTemporaryFolder(name)
  try {
    return await work(folder.path)
  } finally {
    await folder.remove()
  }
}

export async function writeTemporaryFile(path: string, bytes: Uint8Array, signal?: AbortSignal) {
  await writeFile(path, bytes, { mode: 0o600, ...(signal ? { signal } : {}) }).catch(throwTranslated)
  await assertSize(path, bytes.length)
}

/** Resolves when the file is closed, also after a failed write, so that its folder can be removed. */
export async function writeTemporaryStream(path: string, source: Readable, signal: AbortSignal) {
  const file = createWriteStream(path, { mode: 0o600 })
  const whenClosed = new Promise<void>((resolve) => file.once('close', resolve))
  let size = 0
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(source, count, file, { signal })
  } catch (thrown) {
    throwTranslated(thrown)
  } finally {
    await whenClosed
  }
  await assertSize(path, size)
  return size
}

/** Throws if a file has another size than expected: some file systems report a failed write late or not at all. */
async function assertSize(path: string, expected: number): Promise<void> {
  const { size } = await stat(path)
  if (size !== expected)
    throw temporaryFolderFull(new Error(`${size} of ${expected} bytes of a file were written`))
}

/** Error codes of writes that fail because there is no space: on the disk, for the user, or within RLIMIT_FSIZE. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function isNoSpaceError(thrown: unknown): boolean {
  return fullCodes.has(codeOf(thrown))
}

function throwTranslated(thrown: unknown): never {
  throw isNoSpaceError(thrown) ? temporaryFolderFull(thrown) : thrown
}

export function temporaryFolderFull(cause: unknown): AppError {
  return new AppError('TEMPORARY_FOLDER_FULL', { folder: 'TMPDIR', retryAfter: 10 }, { cause })
}

const minProgramBytes = 1024 * 1024

/** Returns true if the temporary folder is too full for programs, which often do not report why they failed. */
export async function isTemporaryFolderFull(): Promise<boolean> {
  return (await freeTemporaryBytes()) < minProgramBytes
}

export async function freeTemporaryBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir())
  return bavail * bsize
}
