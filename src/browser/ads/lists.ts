import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ENGINE_VERSION, FiltersEngine } from '@ghostery/adblocker'
import { blockedNames } from '../../content/blocked-parts.ts'

export interface ListFiles {
  seedFile: string
  folders: string[]
  cacheFile: string | undefined
}

export interface SerialisedEngine {
  bytes: Uint8Array<ArrayBuffer>
  lists: number
  isFromCache: boolean
  /** What was left out, and why. */
  remarks: string[]
}

export const matching: Partial<Config> = {
  // The service does not inject scripts, rewrite documents or evaluate selectors that are not CSS.
  enableHtmlFiltering: false,
  enableMutationObserver: false,
  loadCSPFilters: false,
  loadExtendedSelectors: false,
  // The cache file contains its own digest, which is checked when it is read.
  integrityCheck: false,
}

/** The engine of the built-in list and all others, from the cache if no list has changed. Takes seconds, so do not run it on a busy thread. */
export async function serialisedEngine(files: ListFiles): Promise<SerialisedEngine> {
  const remarks: string[] = []
  const seed = await seedRules(files.seedFile)
  const texts = await listTexts(files.folders, remarks)
  const key = digestOf(`1 ${ENGINE_VERSION} ${JSON.stringify(matching)}`, seed, ...texts)
  const kept = await readCache(files.cacheFile, key)
  if (kept) return { bytes: kept, lists: texts.length, isFromCache: true, remarks }
  const bytes = Uint8Array.from(FiltersEngine.parse([seed, ...texts].join('\n'), matching).serialize())
  await writeCache(files.cacheFile, key, bytes).catch((cause) => {
    remarks.push(`the compiled engine was not stored: ${cause}`)
  })
  return { bytes, lists: texts.length, isFromCache: false, remarks }
}

/** The built-in list, with the ad patterns of the page readers. */
export async function seedRules(seedFile: string): Promise<string> {
  const { adHosts, adPlaces } = blockedNames()
  return [
    await readFile(seedFile, 'utf8'),
    ...adHosts.map((host) => `||${host}^$third-party`),
    ...adPlaces.classes.map((name) => `##.${name}`),
    ...adPlaces.ids.map((name) => `###${name}`),
    ...adPlaces.idPrefixes.map((prefix) => `##[id^="${prefix}"]`),
    ...adHosts.map((host) => `##iframe[src*="${host}"]`),
  ].join('\n')
}

const maxBytes = 30_000_000
/** A file in the folder of uBlock Origin that is an index of lists, not a list. */
const notLists = new Set(['badlists.txt'])

async function listTexts(folders: string[], remarks: string[]): Promise<string[]> {
  const texts: string[] = []
  let room = maxBytes
  for (const path of await listPaths(folders)) {
    try {
      const { size } = await stat(path)
      if (size > room) {
        remarks.push(`${path} was skipped: the lists exceed ${maxBytes} bytes in total`)
        continue
      }
      room -= size
      texts.push(await readFile(path, 'utf8'))
    } catch (cause) {
      remarks.push(`${path} was left out: ${cause}`)
    }
  }
  return texts
}

async function listPaths(folders: string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      // A missing folder is normal: not every machine has every package.
      const names = await readdir(folder).catch(() => [])
      const lists = names.filter((name) => name.endsWith('.txt') && !notLists.has(name))
      return lists.sort().map((name) => join(folder, name))
    }),
  )
  return found.flat()
}

const digestLength = 32

function digestOf(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

/** A file contains the key of the lists, a digest of the engine, and the engine. */
async function readCache(
  path: string | undefined,
  key: Buffer,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (path === undefined) return undefined
  const file = await readFile(path).catch(() => undefined)
  if (!file?.subarray(0, digestLength).equals(key)) return undefined
  const bytes = Uint8Array.from(file.subarray(2 * digestLength))
  return digestOf(bytes).equals(file.subarray(digestLength, 2 * digestLength)) ? bytes : undefined
}

async function writeCache(path: string | undefined, key: Buffer, bytes: Uint8Array): Promise<void> {
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  // Written under a temporary name and renamed: another process reads the old file or the new one, never a partial one.
  const part = `${path}.${process.pid}.part`
  try {
    await writeFile(part, Buffer.concat([key, digestOf(bytes), bytes]))
    await rename(part, path)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
}
