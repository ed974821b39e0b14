import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type KeyFile = ReturnType<typeof keyFile>

export function keyFile(dataDir: string) {
  const path = join(dataDir, 'api-key')
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined),
    write(key: string): void {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      // A full disk must not leave an empty file, which the next start would read as the key.
      const draft = `${path}.${process.pid}.part`
      try {
        writeFileSync(draft, `${key}\n`, { mode: 0o600 })
        renameSync(draft, path)
      } catch (thrown) {
        rmSync(draft, { force: true })
        throw thrown
      }
    },
  }
}
