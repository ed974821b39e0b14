import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder is private, unlike Node's default: a user with write access could replace the code of the service. */
export function enablePrivateCompileCache(): void {
  if (getCompileCacheDir() !== undefined) return
  const folder = findPrivateFolder()
  if (folder !== undefined) enableCompileCache(folder)
}

/** Environment of threads and processes, because Node reads their first file before code can enable the cache. */
export function compileCacheEnvironment(): { NODE_COMPILE_CACHE?: string } {
  enablePrivateCompileCache()
  const folder = getCompileCacheDir()
  // `folder` belongs to this version of Node and its flags. NODE_COMPILE_CACHE expects the parent folder.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

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
