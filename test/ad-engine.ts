import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Path of a compiled ad engine. Compiling the ad lists costs each new service more than a second of CPU time. The
 * engine of the first service is copied to the data folders of later ones, as if they had run before. The service
 * checks that the engine was compiled from its own lists.
 */
const cachedEngine = join(import.meta.dirname, '..', '.prepared', 'ad-engine')

const enginePath = (dataDir: string) => join(dataDir, 'cache', 'ad-engine')

export function restoreAdEngine(dataDir: string): void {
  const isNew = existsSync(dataDir) && readdirSync(dataDir).length === 0
  if (!isNew || !existsSync(cachedEngine)) return
  mkdirSync(dirname(enginePath(dataDir)), { mode: 0o700 })
  copyFileSync(cachedEngine, enginePath(dataDir))
}

export function cacheAdEngine(dataDir: string): void {
  const compiled = enginePath(dataDir)
  const hasOwnLists = existsSync(join(dataDir, 'lists'))
  if (hasOwnLists || !existsSync(compiled) || keyOf(compiled) === keyOf(cachedEngine)) return
  const part = `${cachedEngine}.${process.pid}`
  mkdirSync(dirname(cachedEngine), { recursive: true })
  copyFileSync(compiled, part)
  renameSync(part, cachedEngine)
}

/** Returns the first bytes of the engine, which identify its lists. */
const keyOf = (path: string) => existsSync(path) && readFileSync(path).toString('hex', 0, 32)
