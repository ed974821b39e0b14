import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

interface AtomicFile {
  write(data: string | Uint8Array): Promise<void>
  /** The file is there, whole. */
  commit(): Promise<void>
  /** Nothing is left of it. */
  abandon(): Promise<void>
}

/** A file that appears when it is whole: until then, and if that never happens, the one before stays. */
export async function openAtomicFile(path: string): Promise<AtomicFile> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${basename(path).slice(0, 60)}.${randomBytes(6).toString('hex')}.part`)
  // Fails where the name is taken, also by a link that leads elsewhere.
  const file: FileHandle = await open(draft, 'wx')
  return {
    async write(data) {
      await file.writeFile(data)
    },
    async commit() {
      await file.sync()
      await file.close()
      await rename(draft, path)
    },
    async abandon() {
      await file.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

export async function writeAtomically(path: string, data: string | Uint8Array): Promise<void> {
  const file = await openAtomicFile(path)
  try {
    await file.write(data)
    await file.commit()
  } catch (thrown) {
    await file.abandon()
    throw thrown
  }
}
