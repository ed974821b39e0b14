import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, toDiskError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Blobs, ListedBlob } from '../../platform/ports/blobs.ts'
import { checkedBlobs, checkedKey } from './checked-blobs.ts'

/** Embedded: files, written under a temporary name and renamed. */
export function diskBlobs(root: string): Blobs {
  const path = (key: string) => join(root, checkedKey(key))
  const place = { part: 'blobs', name: `DATA_DIR/${basename(root)}`, path: root } as const
  const told = (thrown: unknown) => toDiskError(codeOf(thrown), place, thrown)
  return checkedBlobs({
    async write(name, bytes) {
      // Write beside, then rename: a reader sees the old bytes or the new ones, never half of them.
      // The temporary name is unique, so that two writers of one key cannot share it.
      const beside = join(root, unfinished, newId())
      try {
        await mkdir(dirname(beside), { recursive: true, mode: 0o700 })
        await writeSynced(beside, bytes)
        const file = path(name())
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await rename(beside, file)
      } catch (thrown) {
        await rm(beside, { force: true }).catch(() => undefined)
        throw told(thrown)
      }
    },
    async get(key) {
      try {
        return new Uint8Array(await readFile(path(key)))
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined
        throw told(thrown)
      }
    },
    async open(key) {
      try {
        const { size } = await stat(path(key))
        return { size, chunks: () => createReadStream(path(key)) as AsyncIterable<Uint8Array> }
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined
        throw told(thrown)
      }
    },
    delete: async (key) => rm(path(key), { force: true }),
    async list(folder, page) {
      try {
        const names = await namesAfter(path(folder), `${folder}/`, page)
        const listed = await Promise.all(names.map((name) => describe(name, path(name))))
        return listed.filter((blob) => blob !== undefined)
      } catch (thrown) {
        throw told(thrown)
      }
    },
  })
}

/** Returns the first names after a name. A folder has no order, so all of it is read, but only `limit` names are kept. */
async function namesAfter(
  folder: string,
  prefix: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  let first: string[] = []
  const keepFirst = () => {
    first = first.sort(byBytes).slice(0, limit)
  }
  try {
    for await (const entry of await opendir(folder)) {
      const name = prefix + entry.name
      if (entry.isFile() && name > after) first.push(name)
      if (first.length >= 2 * limit) keepFirst()
    }
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown
  }
  keepFirst()
  return first
}

/** Names are ASCII, so code units are bytes. */
const byBytes = (left: string, right: string) => (left < right ? -1 : 1)

/** Returns undefined if the file was deleted meanwhile. */
async function describe(name: string, path: string): Promise<ListedBlob | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { name, size, modifiedAt: mtimeMs }
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined
    throw thrown
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
