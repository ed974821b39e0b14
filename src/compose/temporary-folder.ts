import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { FolderInUse, lockFolder } from '../adapters/database/sqlite-lock.ts'
import type { Log } from '../base/log.ts'
import { useTemporaryFolder } from '../settings.ts'

const ours = 'winnow-process-'
/** Made, but not locked yet; of a process that died in between, or of one that is about to go on. */
const unfinished = 'winnow-starting-'
const longestStart = 3600_000

/**
 * One folder for everything that this process and its programs put aside, and the removal of it. A lock says that its process
 * lives, which the system lets go of however that ends, so the folders of others are told from what they left behind: several
 * services share the place, and some of them do not see each other's process ids.
 */
export async function takeTemporaryFolder(log: Log): Promise<() => void> {
  const parent = tmpdir()
  await sweep(parent, log)
  const draft = mkdtempSync(join(parent, unfinished))
  const unlock = lockFolder(draft)
  const path = join(parent, `${ours}${basename(draft).slice(unfinished.length)}`)
  renameSync(draft, path)
  useTemporaryFolder(path)
  return () => {
    useTemporaryFolder(parent)
    unlock()
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function sweep(parent: string, log: Log): Promise<void> {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (!isAbandoned(name, path)) continue
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((cause) =>
      log.warn({ cause, path }, 'what a dead process left behind could not be removed'),
    )
  }
}

function isAbandoned(name: string, path: string): boolean {
  if (!name.startsWith(ours) && !name.startsWith(unfinished)) return false
  try {
    const facts = lstatSync(path)
    // Anybody may make anything under any name here; only folders of our own user are ours to remove.
    if (!facts.isDirectory() || facts.uid !== process.getuid?.()) return false
    if (name.startsWith(unfinished)) return Date.now() - facts.mtimeMs > longestStart
    if (!existsSync(join(path, 'lock'))) return true
    lockFolder(path)()
    return true
  } catch (thrown) {
    if (thrown instanceof FolderInUse || isGone(thrown)) return false
    throw thrown
  }
}

/** Another service that is starting may have been faster. */
function isGone(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && ['ENOENT', 'EACCES'].includes(String(thrown.code))
}
