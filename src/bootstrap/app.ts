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
import { createPageReader } from '../extraction/workers/page-reader.ts'
import type { CacheSpace } from '../features/scrape/cache.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/session-router.ts'
import { createBrowserPredictor } from '../fetch/browser-predictor.ts'
import type { RunTask } from '../fetch/engines/chromium.ts'
import { engines } from '../fetch/engines/index.ts'
import type { FetchDeps } from '../fetch/fetch-page.ts'
import type { FetchPlan, ProxyTier } from '../fetch/fetch-plan.ts'
import type { RunDeps } from '../jobs/run-job.ts'
import type { Log } from '../platform/log.ts'
import type { LanguageModel } from '../platform/ports/language-model.ts'
import { docsSearch } from '../search/docs/search-docs.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Model } from './model.ts'
import type { Network, ServiceAddress } from './network.ts'
import type { Search } from './search.ts'
import { createSessionBrowsers } from './sessions.ts'
import type { Settings } from './settings.ts'
import { reuse } from './store.ts'
import { version } from './version.ts'

const defaultRemoteBytes = 10 * 1024 ** 3
const maxShareOfDisk = 0.85
const diskReadingTtlMs = 2000

function createCacheSpace({ store, retention }: Pick<Settings, 'store' | 'retention'>): CacheSpace {
  const { dataDir, databaseUrl, bucket } = store
  const isRemote = databaseUrl !== undefined && bucket !== undefined
  const maxTeamBytes = retention.teamCacheBytes ?? (isRemote ? defaultRemoteBytes : getQuarterOfDisk(dataDir))
  if (isRemote) return { maxTeamBytes, isFull: async () => false }
  const isDiskFull = async () => {
    const { blocks, bavail } = await statfs(dataDir)
    return bavail < blocks * (1 - maxShareOfDisk)
  }
  // Readiness reports a disk that cannot be read; pages are cached as long as writing them works.
  return { maxTeamBytes, isFull: reuse(() => isDiskFull().catch(() => false), diskReadingTtlMs) }
}

function getQuarterOfDisk(folder: string): number {
  try {
    const { blocks, bsize } = statfsSync(folder)
    return Math.floor((blocks * bsize) / 4)
  } catch {
    return defaultRemoteBytes
  }
}

const rootFolder = fileURLToPath(new URL('../..', import.meta.url))

export type JobDeps = Pick<
  AppDeps,
  'store' | 'blobs' | 'clock' | 'log' | 'holder' | 'parentHooks' | 'recordEnding' | 'load' | 'observeEnd'
> &
  Pick<RunDeps, 'activity'>

interface AppParts extends Pick<AppDeps, 'capabilities' | 'condition'> {
  jobs: JobDeps
  network: Network
  browser: ScrapeBrowser | undefined
  readers: Readers
  search: Search
  model: Model | undefined
  address: ServiceAddress
}

export async function openApp(settings: Settings, parts: AppParts): Promise<App> {
  const { jobs, network, readers, search, model, address, capabilities, condition } = parts
  const { log } = jobs
  const { converter, reader } = readers
  const { indexing, searching, sentences } = search
  return createApp({
    ...jobs,
    ...settings.limits,
    fetching: createFetching(settings, parts, await createPageTask(model, log)),
    profiles: createProfiles({ ...jobs, key: settings.profileKey }),
    documents: { converter, tesseract: settings.tesseractPath },
    reader,
    indexing,
    searching,
    sentences,
    docsRoot: rootFolder,
    searchDocs: docsSearch({ root: rootFolder }),
    memoryPermits: createMemoryPermits(settings.bounds.largePages),
    bounds: settings.bounds,
    hasEnhancedProxy: settings.proxies.enhanced !== undefined,
    models: (teamId, trace) => model?.forTeam(teamId, trace),
    modelTokensPerDay: settings.model?.tokensPerTeamPerDay ?? 0,
    sessions: {
      browsers: createSessionBrowsers(settings, { egress: network.egress, log }),
      agent: await createSessionAgent(model, log),
      peers: network.peers,
      peerUrl: address.peerUrl,
      teamBrowsers: settings.limits.teamBrowsers,
      sessionMemory: settings.sessions.memory,
    },
    client: network.client,
    guard: network.guard,
    ffmpeg: settings.ffmpegPath,
    publicUrl: address.publicUrl,
    condition,
    keyFile: keyFile(settings.store.dataDir),
    webhookSecret: settings.webhooks.secret,
    retentionHours: settings.retention.hours,
    cacheSpace: createCacheSpace(settings),
    version,
    capabilities,
  })
}

async function createSessionAgent(model: Model | undefined, log: Log): Promise<RunAgent | undefined> {
  if (!model) return undefined
  // Loaded only if used: a service without a model should not keep it in memory.
  const { runAgent } = await import('../sessions/agent/agent.ts')
  return async (browser, { teamId, ...task }, signal) => {
    const context = await contextOf(browser)
    const page = context.pages().at(-1) ?? (await context.newPage())
    const { page: _, ...outcome } = await runAgent({ model: model.forTeam(teamId), page, log }, task, signal)
    return outcome
  }
}

async function createPageTask(model: Model | undefined, log: Log): Promise<RunTask | undefined> {
  if (!model) return undefined
  const { runAgent } = await import('../sessions/agent/agent.ts')
  return async (page, { teamId, tabPermit, trace, ...task }, signal) => {
    const teamModel = model.forTeam(teamId, trace)
    // The page gives up its permit while the model responds, so that other pages can use it.
    const step: LanguageModel['step'] = (...args) => tabPermit.whileWaiting(() => teamModel.step(...args))
    const outcome = await runAgent({ model: { ...teamModel, step }, page, log }, task, signal)
    const { output: answer, stdout: steps, stopped } = outcome
    return { answer, steps, ...(stopped === undefined ? {} : { stopped }) }
  }
}

function createFetching(
  settings: Settings,
  { jobs, network, browser, readers }: AppParts,
  runTask: RunTask | undefined,
): FetchDeps {
  const { clock } = jobs
  const { client, egress, guard } = network
  return {
    engines: engines({ client, clock, chromium: browser && { ...browser, egress, guard, clock, runTask } }),
    predictor: createBrowserPredictor(clock.now),
    reader: readers.reader,
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
  const proxyUrl = proxies[name]?.replaceAll('{country}', country)
  const upstream = proxyUrl === undefined ? undefined : new URL(proxyUrl)
  return { name, upstream, asBrowser: name === 'enhanced' }
}

export function createReaders({ bounds: { answerBytes } }: Settings, log: Log) {
  // At least two, so that a slow page never blocks all others.
  const count = Math.max(2, availableParallelism())
  const shared = { spare: 1, idleMs: 60_000 }
  // Memory for a large document, and more time than any caller waits.
  const converterLimits = { ...shared, processes: count, recognisers: count, megabytes: 1024, maxMs: 300_000 }
  const readerLimits = { ...shared, threads: count, megabytes: 512, graceMs: 1000, answerBytes }
  return {
    converter: createDocumentConverter(converterLimits, log),
    reader: createPageReader(readerLimits, log),
  }
}

type Readers = ReturnType<typeof createReaders>
