import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Log } from '../platform/log.ts'
import { isTemporaryFolderFull, processFolderPrefix } from '../platform/temporary-files.ts'
import { FolderInUse, lockFolder } from '../store/database/sqlite.ts'
import { SettingsError, useTemporaryFolder } from './settings.ts'

/** Prefix of a folder that is not locked yet, because its process is about to lock it or has died before. */
const startingPrefix = 'winnow-starting-'
const maxStartMs = 3600_000

/** The operating system releases the lock of a dead process; services in containers do not see each other's ids. */
export async function acquireTemporaryFolder(log: Log): Promise<() => void> {
  const parent = tmpdir()
  const { path, unlock } = await createLocked(parent, log).catch(async (thrown) => {
    const reason = (await isTemporaryFolderFull().catch(() => false)) ? 'it is full' : String(thrown.message)
    throw new SettingsError(
      `TMPDIR=${parent} cannot be used: ${reason}. Free space in it, or set TMPDIR to a writable folder.`,
    )
  })
  useTemporaryFolder(path)
  return () => {
    useTemporaryFolder(parent)
    unlock()
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function createLocked(parent: string, log: Log): Promise<{ path: string; unlock: () => void }> {
  await removeAbandoned(parent, log)
  const draft = mkdtempSync(join(parent, startingPrefix))
  try {
    const unlock = lockFolder(draft)
    const path = join(parent, `${processFolderPrefix}${basename(draft).slice(startingPrefix.length)}`)
    renameSync(draft, path)
    return { path, unlock }
  } catch (thrown) {
    rmSync(draft, { recursive: true, force: true })
    throw thrown
  }
}

async function removeAbandoned(parent: string, log: Log): Promise<void> {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (!isAbandoned(name, path)) continue
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((cause) =>
      log.warn({ cause, path }, 'the temporary files of a dead process could not be removed'),
    )
  }
}

function isAbandoned(name: string, path: string): boolean {
  if (!name.startsWith(processFolderPrefix) && !name.startsWith(startingPrefix)) return false
  try {
    const stats = lstatSync(path)
    // Any user may create files with any name here; remove only folders of our own user.
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false
    if (name.startsWith(startingPrefix)) return Date.now() - stats.mtimeMs > maxStartMs
    if (!existsSync(join(path, 'lock'))) return true
    lockFolder(path)()
    return true
  } catch (thrown) {
    if (thrown instanceof FolderInUse || isGone(thrown)) return false
    throw thrown
  }
}

const sqliteCantOpen = 14

/** Returns true if the folder is gone, because another service that is starting may be removing it. */
function isGone(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if ('errcode' in thrown) return thrown.errcode === sqliteCantOpen
  return 'code' in thrown && ['ENOENT', 'EACCES'].includes(String(thrown.code))
}
