import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Ensures that only one process serves a data folder. An open exclusive transaction on a separate file is a lock
 * that the operating system releases however the process ends; a file with a process id is not.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    lock.close()
    throw new FolderInUse(folder, { cause })
  }
  return () => lock.close()
}

export class FolderInUse extends Error {
  constructor(folder: string, options: ErrorOptions) {
    super(`Another Winnow already serves ${folder}. Stop it, or set DATA_DIR to another folder.`, options)
  }
}
