import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

interface AtomicFile {
  write(data: string | Uint8Array): Promise<void>
  /** Moves the complete file to its path. */
  commit(): Promise<void>
  /** Deletes the temporary file. */
  discard(): Promise<void>
}

/** Opens a temporary file that replaces `path` on commit. Without a commit, an existing file stays unchanged. */
export async function openAtomicFile(path: string): Promise<AtomicFile> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const temporaryPath = join(folder, `.${basename(path).slice(0, 60)}.${randomBytes(6).toString('hex')}.part`)
  // The flag `wx` fails if the path exists, even as a symbolic link.
  const file: FileHandle = await open(temporaryPath, 'wx')
  return {
    async write(data) {
      await file.writeFile(data)
    },
    async commit() {
      await file.sync()
      await file.close()
      await rename(temporaryPath, path)
    },
    async discard() {
      await file.close().catch(() => {})
      await rm(temporaryPath, { force: true })
    },
  }
}

export async function writeAtomically(path: string, data: string | Uint8Array): Promise<void> {
  const file = await openAtomicFile(path)
  try {
    await file.write(data)
    await file.commit()
  } catch (thrown) {
    await file.discard()
    throw thrown
  }
}
