import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Keeps compiled code for the next start. A user who can write that code decides what runs here, so only a folder of this
 * user alone is used: the one that Node would take has the same name for all users of a machine. A folder that the operator
 * names by NODE_COMPILE_CACHE is in use before this is called.
 */
export function keepCompiledCode(): void {
  if (getCompileCacheDir() !== undefined) return
  const folder = ownFolder()
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * What a thread or process of Node needs in its environment to find its code compiled already. Its first file is read
 * before anything in it can ask for the cache, and a first file in TypeScript alone costs as much as a hundred from the cache.
 */
export function compileCacheEnvironment(): { NODE_COMPILE_CACHE?: string } {
  keepCompiledCode()
  const folder = getCompileCacheDir()
  // That of this version and its flags; Node expects the folder of all of them.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Undefined where it cannot be made, or where another user has made it or may write it: a start without it is only slower. */
function ownFolder(): string | undefined {
  const user = process.getuid?.()
  const folder = join(tmpdir(), `winnow-compiled-${user ?? 'code'}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOwn =
      found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o077) === 0))
    return isOwn ? folder : undefined
  } catch {
    return undefined
  }
}
