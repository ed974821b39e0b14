import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { toDiskFailure } from '../../base/store-unavailable.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { checkedKey } from './blob-key.ts'

/** Embedded: files, written under a temporary name and renamed. */
export function diskBlobs(root: string): Blobs {
  const path = (key: string) => join(root, checkedKey(key))
  const folder = { part: 'blobs', name: `DATA_DIR/${basename(root)}`, path: root } as const
  return {
    async put(key, bytes) {
      // Write beside, then rename: a reader sees the old bytes or the new ones, never half of them.
      // The temporary name is unique, so that two writers of one key cannot share it.
      const beside = join(root, unfinished, newId())
      try {
        for (const file of [beside, path(key)]) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeSynced(beside, bytes)
        await rename(beside, path(key))
      } catch (thrown) {
        await rm(beside, { force: true }).catch(() => undefined)
        throw toDiskFailure(codeOf(thrown), folder, thrown)
      }
    },
    async get(key) {
      try {
        return new Uint8Array(await readFile(path(key)))
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined
        throw toDiskFailure(codeOf(thrown), folder, thrown)
      }
    },
    async open(key) {
      try {
        const { size } = await stat(path(key))
        return { size, chunks: () => createReadStream(path(key)) as AsyncIterable<Uint8Array> }
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined
        throw toDiskFailure(codeOf(thrown), folder, thrown)
      }
    },
    delete: async (key) => rm(path(key), { force: true }),
  }
}

/** In a separate folder, so that files of a killed process are found without scanning all blobs. */
const unfinished = 'unfinished'

/** Removes partly written files of a killed process. Call it only if no other process serves the folder. */
export async function removeUnfinished(root: string): Promise<void> {
  await rm(join(root, unfinished), { recursive: true, force: true })
}

async function writeSynced(path: string, bytes: Parameters<Blobs['put']>[1]): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}
