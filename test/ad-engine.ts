import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Each new service would compile the same ad lists, for a second of CPU and more. What the first one compiled is put into the
 * folders of the others, as if they had run there before; the service checks that it was made of its lists.
 */
const kept = join(import.meta.dirname, '..', '.prepared', 'ad-engine')

const engineIn = (dataDir: string) => join(dataDir, 'cache', 'ad-engine')

export function lendAdEngine(dataDir: string): void {
  const isNew = existsSync(dataDir) && readdirSync(dataDir).length === 0
  if (!isNew || !existsSync(kept)) return
  mkdirSync(dirname(engineIn(dataDir)), { mode: 0o700 })
  copyFileSync(kept, engineIn(dataDir))
}

export function keepAdEngine(dataDir: string): void {
  const compiled = engineIn(dataDir)
  const hasListsOfItsOwn = existsSync(join(dataDir, 'lists'))
  if (hasListsOfItsOwn || !existsSync(compiled) || keyOf(compiled) === keyOf(kept)) return
  const part = `${kept}.${process.pid}`
  mkdirSync(dirname(kept), { recursive: true })
  copyFileSync(compiled, part)
  renameSync(part, kept)
}

/** The first bytes say which lists it was made of. */
const keyOf = (path: string) => existsSync(path) && readFileSync(path).toString('hex', 0, 32)
