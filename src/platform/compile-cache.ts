import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Enables the compile cache of Node, so that the next start is faster. A user with write access to the cache could
 * replace the code of the service. So the cache is in a folder that only this user can access: the default folder of
 * Node has the same name for all users. If the operator sets NODE_COMPILE_CACHE, Node has already enabled the cache in
 * that folder.
 */
export function enablePrivateCompileCache(): void {
  if (getCompileCacheDir() !== undefined) return
  const folder = findPrivateFolder()
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * Returns the environment variable that makes a thread or process of Node use the compile cache. Node reads the first
 * file before its code can enable the cache. Compiling a first file in TypeScript costs as much as loading a hundred
 * files from the cache.
 */
export function compileCacheEnvironment(): { NODE_COMPILE_CACHE?: string } {
  enablePrivateCompileCache()
  const folder = getCompileCacheDir()
  // `folder` belongs to this version of Node and its flags. NODE_COMPILE_CACHE expects the parent folder.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/**
 * Returns a cache folder that only this user can access. Returns undefined if it cannot be created, or if another user
 * owns it or has access to it. Without the cache, the start is only slower.
 */
function findPrivateFolder(): string | undefined {
  const uid = process.getuid?.()
  const folder = join(tmpdir(), `winnow-compiled-${uid ?? 'code'}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stats = lstatSync(folder)
    const isPrivate =
      stats.isDirectory() && (uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0))
    return isPrivate ? folder : undefined
  } catch {
    return undefined
  }
}
