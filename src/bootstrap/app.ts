import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { keyFile } from '../accounts/key-file.ts'
import type { AppDeps } from '../api/app/needs.ts'
import { type App, createApp } from '../api/app.ts'
import { createProfiles } from '../browser/profile/profiles.ts'
import { createDocumentConverter } from '../documents/convert.ts'
import { createMemoryPermits } from '../extraction/workers/memory-permits.ts'
import { createPageReader, type PageReader } from '../extraction/workers/page-reader.ts'
import type { Capability } from '../features/capabilities.ts'
import type { Condition } from '../features/operator/overview.ts'
import type { CacheSpace } from '../features/scrape/cache.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/session-router.ts'
import { createBrowserPredictor } from '../fetch/browser-predictor.ts'
import type { RunTask } from '../fetch/engines/chromium.ts'
import { engines } from '../fetch/engines/index.ts'
import type { FetchDeps } from '../fetch/fetch-page.ts'
import type { FetchPlan, ProxyTier } from '../fetch/fetch-plan.ts'
import type { RunDeps } from '../jobs/run-job.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { LanguageModel } from '../platform/ports/language-model.ts'
import { docsSearch } from '../search/docs/search-docs.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Model } from './model.ts'
import type { Network, ServiceAddress } from './network.ts'
import type { Search } from './search.ts'
import { createSessionBrowsers } from './sessions.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

const defaultRemoteBytes = 10 * 1024 ** 3
const maxShareOfDisk = 0.85
/** Milliseconds for which a reading of the disk is used again. */
const readingMs = 2000

/** The space for cached pages: on the disk of the data folder, unless the database and the blobs are elsewhere. */
function openCacheSpace({ store, retention }: Pick<Settings, 'store' | 'retention'>): CacheSpace {
  const { dataDir, databaseUrl, bucket } = store
  const isRemote = databaseUrl !== undefined && bucket !== undefined
  const maxTeamBytes = retention.teamCacheBytes ?? (isRemote ? defaultRemoteBytes : quarterOfDisk(dataDir))
  if (isRemote) return { maxTeamBytes, isFull: async () => false }
  let reading: { at: number; isFull: Promise<boolean> } | undefined
  const read = async () => {
    const { blocks, bavail } = await statfs(dataDir)
    return bavail < blocks * (1 - maxShareOfDisk)
  }
  return {
    maxTeamBytes,
    isFull() {
      // A disk that cannot be read is reported by readiness; pages are cached as long as writing them works.
      if (!reading || performance.now() - reading.at > readingMs)
        reading = { at: performance.now(), isFull: read().catch(() => false) }
      return reading.isFull
    },
  }
}

function quarterOfDisk(folder: string): number {
  try {
    const { blocks, bsize } = statfsSync(folder)
    return Math.floor((blocks * bsize) / 4)
  } catch {
    return defaultRemoteBytes
  }
}

/** The folder of the service, which has its documentation beside the code. */
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What every job needs, in the foreground and in the background. */
export type JobDeps = Pick<
  AppDeps,
  'store' | 'blobs' | 'clock' | 'log' | 'holder' | 'parentHooks' | 'recordEnding' | 'load' | 'observeEnd'
> &
  Pick<RunDeps, 'activity'>

export interface AppParts {
  jobs: JobDeps
  network: Network
  browser: ScrapeBrowser | undefined
  readers: Readers
  search: Search
  model: Model | undefined
  address: ServiceAddress
  capabilities: () => Capability[]
  condition: Condition
}

/** The features, bound to the parts of this process. */
export async function openApp(settings: Settings, parts: AppParts): Promise<App> {
  const { jobs, network, browser, readers, search, model, address } = parts
  const { log } = jobs
  const { converter, reader } = readers
  const runTask = await pageTask(model, log)
  return createApp({
    ...jobs,
    fetching: openFetching(settings, { clock: jobs.clock, network, browser, reader, runTask }),
    profiles: createProfiles({ ...jobs, key: settings.profileKey }),
    documents: { converter, tesseract: settings.tesseractPath },
    reader,
    indexing: search.indexing,
    searching: search.searching,
    sentences: search.sentences,
    docsRoot: root,
    searchDocs: docsSearch({ root }),
    rooms: createMemoryPermits(settings.bounds.largePages),
    bounds: settings.bounds,
    hasEnhancedProxy: settings.proxies.enhanced !== undefined,
    models: (teamId, trace) => model?.of(teamId, trace),
    modelTokensPerDay: settings.model?.tokensPerTeamPerDay ?? 0,
    sessions: {
      browsers: createSessionBrowsers(settings, { egress: network.egress, log }),
      agent: await sessionAgent(model, log),
      peers: network.peers,
      peerUrl: address.peerUrl,
      teamBrowsers: settings.limits.teamBrowsers,
      sessionMemory: settings.sessions.memory,
    },
    client: network.client,
    guard: network.guard,
    ffmpeg: settings.ffmpegPath,
    publicUrl: address.publicUrl,
    condition: parts.condition,
    keyFile: keyFile(settings.store.dataDir),
    teamCredits: settings.limits.teamCredits,
    teamConcurrency: settings.limits.teamConcurrency,
    webhookSecret: settings.webhooks.secret,
    ratePerMinute: settings.limits.ratePerMinute,
    supportMs: settings.limits.supportMs,
    supportTrialsPerDay: settings.limits.supportTrialsPerDay,
    retentionHours: settings.retention.hours,
    cacheSpace: openCacheSpace(settings),
    feedback: settings.limits.feedback,
    version,
    capabilities: parts.capabilities,
  })
}

/** Executes tasks in the tab that was opened last; undefined if no language model is configured. */
async function sessionAgent(model: Model | undefined, log: Log): Promise<RunAgent | undefined> {
  if (!model) return undefined
  // Loaded only when used: a service without a model should not keep it in memory.
  const { runAgent } = await import('../sessions/agent/agent.ts')
  return async (browser, { teamId, ...order }, signal) => {
    const context = await contextOf(browser)
    const page = context.pages().at(-1) ?? (await context.newPage())
    const { page: _, ...outcome } = await runAgent({ model: model.of(teamId), page, log }, order, signal)
    return outcome
  }
}

/** Executes a task on a page that is read afterwards; undefined if no language model is configured. */
async function pageTask(model: Model | undefined, log: Log): Promise<RunTask | undefined> {
  if (!model) return undefined
  const { runAgent } = await import('../sessions/agent/agent.ts')
  return async (page, { teamId, turn, trace, ...order }, signal) => {
    const own = model.of(teamId, trace)
    // While the model thinks, the place of the page may go to others.
    const step: LanguageModel['step'] = (...asked) => turn.whileWaiting(() => own.step(...asked))
    const outcome = await runAgent({ model: { ...own, step }, page, log }, order, signal)
    const { output: answer, stdout: steps, stopped } = outcome
    return { answer, steps, ...(stopped === undefined ? {} : { stopped }) }
  }
}

interface FetchParts {
  clock: Clock
  network: Pick<Network, 'client' | 'egress' | 'guard'>
  browser: ScrapeBrowser | undefined
  reader: PageReader
  runTask: RunTask | undefined
}

/** The engines that turn a fetch plan into a page, and the ways they may use. */
function openFetching(
  settings: Pick<Settings, 'proxies'>,
  { clock, network, browser, reader, runTask }: FetchParts,
): FetchDeps {
  const { client, egress, guard } = network
  return {
    engines: engines({ client, clock, chromium: browser && { ...browser, egress, guard, clock, runTask } }),
    memory: createBrowserPredictor(clock.now),
    reader,
    tiers: (plan) => ({
      basic: proxyTier('basic', settings, plan),
      enhanced: proxyTier('enhanced', settings, plan),
    }),
  }
}

export function proxyTier(
  name: ProxyTier['name'],
  { proxies }: Pick<Settings, 'proxies'>,
  plan: Pick<FetchPlan, 'country'>,
): ProxyTier {
  const country = (plan.country ?? 'us').toLowerCase()
  const text = proxies[name]?.replaceAll('{country}', country)
  const upstream = text === undefined ? undefined : new URL(text)
  return { name, upstream, asBrowser: name === 'enhanced' }
}

/** The readers of files and pages outside this thread. */
export function createReaders({ bounds }: Settings, log: Log) {
  return {
    converter: createDocumentConverter(converterLimits, log),
    reader: createPageReader({ ...readerLimits, answerBytes: bounds.answerBytes }, log),
  }
}

export type Readers = ReturnType<typeof createReaders>

/** Each converter gets the memory for a large document and more time than any caller waits. One per core, and at least two. */
const converterLimits = {
  processes: Math.max(2, availableParallelism()),
  recognisers: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 1024,
  mostMs: 300_000,
  idleMs: 60_000,
}

/** One thread per core reads pages, and at least two, so that a slow page never blocks all others. */
const readerLimits = {
  threads: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 512,
  idleMs: 60_000,
  graceMs: 1000,
}
