import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, toDiskError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Blobs } from '../../platform/ports/blobs.ts'
import { checkedBlobs, checkedKey } from './checked-blobs.ts'

export function diskBlobs(root: string): Blobs {
  const path = (key: string) => join(root, checkedKey(key))
  const folderInfo = { part: 'blobs', name: `DATA_DIR/${basename(root)}`, path: root } as const
  const toError = (thrown: unknown) => toDiskError(codeOf(thrown), folderInfo, thrown)
  const ifExists = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read()
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return undefined
      throw toError(thrown)
    }
  }
  return checkedBlobs({
    async write(name, bytes) {
      // A reader gets the old bytes or the new ones, never a part. The name is unique, so two writers do not share it.
      const temporaryPath = join(root, unfinishedFolder, newId())
      try {
        await mkdir(dirname(temporaryPath), { recursive: true, mode: 0o700 })
        await writeSynced(temporaryPath, bytes)
        const file = path(name())
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await rename(temporaryPath, file)
      } catch (thrown) {
        await rm(temporaryPath, { force: true }).catch(() => undefined)
        throw toError(thrown)
      }
    },
    get: (key) => ifExists(async () => new Uint8Array(await readFile(path(key)))),
    open: (key) =>
      ifExists(async () => {
        const { size } = await stat(path(key))
        return { size, chunks: () => createReadStream(path(key)) as AsyncIterable<Uint8Array> }
      }),
    delete: async (key) => rm(path(key), { force: true }),
    async list(folder, page) {
      try {
        const names = await namesAfter(path(folder), `${folder}/`, page)
        const readMetadata = async (name: string) => {
          const { size, mtimeMs } = await stat(path(name))
          return { name, size, modifiedAt: mtimeMs }
        }
        const listed = await Promise.all(names.map((name) => ifExists(() => readMetadata(name))))
        return listed.filter((blob) => blob !== undefined)
      } catch (thrown) {
        throw toError(thrown)
      }
    },
  })
}

/** A folder is not sorted, so it is read completely, but at most twice `limit` names are in memory. */
async function namesAfter(
  folder: string,
  prefix: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  let names: string[] = []
  const truncateNames = () => {
    names = names.sort(byBytes).slice(0, limit)
  }
  try {
    for await (const entry of await opendir(folder)) {
      const name = prefix + entry.name
      if (entry.isFile() && name > after) names.push(name)
      if (names.length >= 2 * limit) truncateNames()
    }
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown
  }
  truncateNames()
  return names
}

/** Compares names by bytes. They are ASCII, so code units are bytes. */
const byBytes = (left: string, right: string) => (left < right ? -1 : 1)

/** Separate folder, so that files of a killed process are found without scanning all blobs. */
const unfinishedFolder = 'unfinished'

/** Removes partly written files of a killed process. Call it only if no other process serves the folder. */
export async function removeUnfinished(root: string): Promise<void> {
  await rm(join(root, unfinishedFolder), { recursive: true, force: true })
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
