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

export const matching: Partial<Config> = {
  // The service does not inject scripts, rewrite documents or evaluate selectors that are not CSS.
  enableHtmlFiltering: false,
  enableMutationObserver: false,
  loadCSPFilters: false,
  loadExtendedSelectors: false,
  // The cache file contains its own digest, which is checked when it is read.
  integrityCheck: false,
}

/** From the cache if no list has changed. Compiling takes seconds, so do not run it on a busy thread. */
export async function serialisedEngine(files: ListFiles) {
  const remarks: string[] = []
  const seed = await seedRules(files.seedFile)
  const texts = await readLists(files.folders, remarks)
  const key = digest(`1 ${ENGINE_VERSION} ${JSON.stringify(matching)}`, seed, ...texts)
  const cached = await readCache(files.cacheFile, key)
  if (cached) return { bytes: cached, lists: texts.length, isFromCache: true, remarks }
  const bytes = Uint8Array.from(FiltersEngine.parse([seed, ...texts].join('\n'), matching).serialize())
  await writeCache(files.cacheFile, key, bytes).catch((cause) => {
    remarks.push(`the compiled engine was not stored: ${cause}`)
  })
  return { bytes, lists: texts.length, isFromCache: false, remarks }
}

export type SerialisedEngine = Awaited<ReturnType<typeof serialisedEngine>>

export async function seedRules(seedFile: string): Promise<string> {
  const { adHosts, adContainers } = blockedNames()
  return [
    await readFile(seedFile, 'utf8'),
    ...adHosts.map((host) => `||${host}^$third-party`),
    ...adContainers.classes.map((name) => `##.${name}`),
    ...adContainers.ids.map((name) => `###${name}`),
    ...adContainers.idPrefixes.map((prefix) => `##[id^="${prefix}"]`),
    ...adHosts.map((host) => `##iframe[src*="${host}"]`),
  ].join('\n')
}

const maxBytes = 30_000_000
const ignoredFiles = new Set(['badlists.txt'])

async function readLists(folders: string[], remarks: string[]): Promise<string[]> {
  const texts: string[] = []
  let remainingBytes = maxBytes
  for (const path of await findLists(folders)) {
    try {
      const { size } = await stat(path)
      if (size > remainingBytes) {
        remarks.push(`${path} was skipped: the lists exceed ${maxBytes} bytes in total`)
        continue
      }
      remainingBytes -= size
      texts.push(await readFile(path, 'utf8'))
    } catch (cause) {
      remarks.push(`${path} was left out: ${cause}`)
    }
  }
  return texts
}

async function findLists(folders: string[]): Promise<string[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      const lists = names.filter((name) => name.endsWith('.txt') && !ignoredFiles.has(name))
      return lists.sort().map((name) => join(folder, name))
    }),
  )
  return paths.flat()
}

const digestLength = 32

function digest(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

/** The file contains the key of the lists, a digest of the engine, and the engine. */
async function readCache(path: string | undefined, key: Buffer) {
  if (path === undefined) return undefined
  const file = await readFile(path).catch(() => undefined)
  if (!file?.subarray(0, digestLength).equals(key)) return undefined
  const bytes = Uint8Array.from(file.subarray(2 * digestLength))
  return digest(bytes).equals(file.subarray(digestLength, 2 * digestLength)) ? bytes : undefined
}

async function writeCache(path: string | undefined, key: Buffer, bytes: Uint8Array): Promise<void> {
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  // Renamed, so that another process never reads a partial file.
  const temporaryPath = `${path}.${process.pid}.part`
  try {
    await writeFile(temporaryPath, Buffer.concat([key, digest(bytes), bytes]))
    await rename(temporaryPath, path)
  } catch (thrown) {
    await rm(temporaryPath, { force: true })
    throw thrown
  }
}
