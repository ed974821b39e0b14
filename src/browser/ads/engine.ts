import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FiltersEngine, Request, type RequestType } from '@ghostery/adblocker'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'
import type { Log } from '../../platform/log.ts'
import { matching, type SerialisedEngine, seedRules } from './lists.ts'

export interface AdBlockerOptions {
  /** Every `*.txt` in them is a list in Adblock syntax; missing folders are skipped. */
  listFolders: string[]
  /** Stores the engine compiled from the lists, so that the next start does not compile it again. */
  cacheFile: string | undefined
  log: Log
}

/** The class names and ids of a document: lists have far more rules than a page needs, and these select among them. */
export interface DocumentNames {
  classes: string[]
  ids: string[]
  hrefs: string[]
}

export interface Judged {
  url: string
  /** The URL of the requesting document. */
  sourceUrl: string
  type: RequestType
}

/** `empty` is the media type of a resource that the page waits for: it gets an empty response instead of an error. */
export type RequestDecision = 'pass' | 'block' | { empty: string }

export interface AdEngine {
  judge(request: Judged): RequestDecision
  /** Rules that hide ads in a document: those of its site and the general ones, or those for the names in it. */
  styles(url: string, names?: DocumentNames): string
  /** Why fewer rules apply than expected. */
  warning(): string | undefined
  /** Resolves when nothing is left to load. */
  whenComplete(): Promise<void>
}

const seedFile = fileURLToPath(new URL('./lists/seed.txt', import.meta.url))

/** Ready with the built-in list; another thread loads the others. */
export async function loadAdEngine(options: AdBlockerOptions): Promise<AdEngine> {
  let engine = ready(FiltersEngine.parse(await seedRules(seedFile), matching))
  let warning: string | undefined
  const complete = loadLists(options).then(
    (full) => {
      engine = full
    },
    (cause) => {
      warning = 'The ad lists could not be loaded; only the best-known ad hosts are blocked.'
      options.log.warn({ cause }, warning)
    },
  )
  return {
    judge(request) {
      const { match, redirect } = engine.match(Request.fromRawDetails(request))
      if (!match) return 'pass'
      return redirect ? { empty: redirect.contentType.replace(/;.*/, '') } : 'block'
    },
    styles: (url, names) => styles(engine, Request.fromRawDetails({ url, type: 'document' }), names),
    warning: () => warning,
    whenComplete: () => complete,
  }
}

function styles(engine: FiltersEngine, { url, hostname, domain }: Request, names?: DocumentNames): string {
  const wanted = { getBaseRules: !names, getRulesFromHostname: !names, getRulesFromDOM: names !== undefined }
  const never = { getInjectionRules: false, getExtendedRules: false }
  return engine.getCosmeticsFilters({ url, hostname, domain, ...names, ...wanted, ...never }).styles
}

async function loadLists({ listFolders, cacheFile, log }: AdBlockerOptions): Promise<FiltersEngine> {
  const began = performance.now()
  const { bytes, remarks, ...facts } = await inWorker({ seedFile, folders: listFolders, cacheFile })
  const engine = ready(FiltersEngine.deserialize(bytes))
  log.info({ ...facts, remarks, ms: Math.round(performance.now() - began) }, 'the ad lists are loaded')
  return engine
}

/** Lists have parts for specific browsers; these are the conditions that apply here. */
function ready(engine: FiltersEngine): FiltersEngine {
  engine.updateEnv(new Map([['env_chromium', true]]))
  return engine
}

function inWorker(workerData: object): Promise<SerialisedEngine> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData,
      env: compileCacheEnvironment(),
    })
    // Loading lists must not keep the process alive.
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread ended before the engine was built.')))
  })
}
