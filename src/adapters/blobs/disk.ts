import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../base/ids.ts'
import type { Blobs } from '../../ports/blobs.ts'

/** Embedded: files, written beside and renamed. */
export function diskBlobs(root: string): Blobs {
  const path = (key: string) => join(root, key)
  return {
    async put(key, bytes) {
      await mkdir(dirname(path(key)), { recursive: true, mode: 0o700 })
      // Write beside, then rename: a reader sees the old bytes or the new ones, never half of them.
      // The name beside is new each time, so that two writers of one key cannot share it.
      const beside = `${path(key)}.${newId()}.part`
      const file = await open(beside, 'w', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(beside, path(key))
    },
    async get(key) {
      try {
        return new Uint8Array(await readFile(path(key)))
      } catch (thrown) {
        if (isAbsent(thrown)) return undefined
        throw thrown
      }
    },
    async open(key) {
      try {
        const { size } = await stat(path(key))
        return { size, chunks: () => createReadStream(path(key)) as AsyncIterable<Uint8Array> }
      } catch (thrown) {
        if (isAbsent(thrown)) return undefined
        throw thrown
      }
    },
    delete: (key) => rm(path(key), { force: true }),
  }
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
}
