import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FiltersEngine, Request, type RequestType } from '@ghostery/adblocker'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'
import type { Log } from '../../platform/log.ts'
import { matching, type SerialisedEngine, seedRules } from './lists.ts'

export interface AdBlockerOptions {
  /** Every `*.txt` file is a list in Adblock syntax. Missing folders are skipped. */
  listFolders: string[]
  /** Stores the compiled engine, so that the next start does not compile it again. */
  cacheFile: string | undefined
  log: Log
}

export interface DocumentNames {
  classes: string[]
  ids: string[]
  hrefs: string[]
}

export interface RequestFacts {
  url: string
  sourceUrl: string
  type: RequestType
}

/** `empty` is the media type of an empty response, which the page gets instead of an error. */
export type RequestDecision = 'pass' | 'block' | { empty: string }

const seedFile = fileURLToPath(new URL('./lists/seed.txt', import.meta.url))

/** Starts with the built-in list; a worker thread loads the other lists. */
export async function loadAdEngine(options: AdBlockerOptions) {
  let engine = withEnvironment(FiltersEngine.parse(await seedRules(seedFile), matching))
  let warning: string | undefined
  void loadLists(options).then(
    (full) => {
      engine = full
    },
    (cause) => {
      warning = 'The ad lists could not be loaded; only the best-known ad hosts are blocked.'
      options.log.warn({ cause }, warning)
    },
  )
  return {
    decide(request: RequestFacts): RequestDecision {
      const { match, redirect } = engine.match(Request.fromRawDetails(request))
      if (!match) return 'pass'
      return redirect ? { empty: redirect.contentType.replace(/;.*/, '') } : 'block'
    },
    /** Returns the rules for the names; without `names`, those of the site and the general rules. */
    styles(documentUrl: string, names?: DocumentNames): string {
      const { url, hostname, domain } = Request.fromRawDetails({ url: documentUrl, type: 'document' })
      return engine.getCosmeticsFilters({
        ...{ url, hostname, domain, ...names, getInjectionRules: false, getExtendedRules: false },
        ...{ getBaseRules: !names, getRulesFromHostname: !names, getRulesFromDOM: names !== undefined },
      }).styles
    },
    warning: () => warning,
  }
}

export type AdEngine = Awaited<ReturnType<typeof loadAdEngine>>

async function loadLists({ listFolders, cacheFile, log }: AdBlockerOptions): Promise<FiltersEngine> {
  const began = performance.now()
  const { bytes, remarks, ...facts } = await buildInWorker({ seedFile, folders: listFolders, cacheFile })
  const engine = withEnvironment(FiltersEngine.deserialize(bytes))
  log.info({ ...facts, remarks, ms: Math.round(performance.now() - began) }, 'the ad lists are loaded')
  return engine
}

function withEnvironment(engine: FiltersEngine): FiltersEngine {
  engine.updateEnv(new Map([['env_chromium', true]]))
  return engine
}

function buildInWorker(workerData: object): Promise<SerialisedEngine> {
  return new Promise((resolve, reject) => {
    const options = { workerData, env: compileCacheEnvironment() }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), options)
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread ended before the engine was built.')))
  })
}
