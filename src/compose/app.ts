import { fileURLToPath } from 'node:url'
import { keyFile } from '../accounts/key-file.ts'
import type { AppNeeds } from '../app/needs.ts'
import { type App, createApp } from '../app.ts'
import { createProfiles } from '../browser/profile/profiles.ts'
import type { Capability } from '../features/capabilities.ts'
import type { Condition } from '../features/operator/overview.ts'
import type { RunNeeds } from '../jobs/run-job.ts'
import { pageRooms } from '../page-threads/page-rooms.ts'
import { docsSearch } from '../search/docs/search-docs.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'
import type { ServiceAddress } from './address.ts'
import { pageTask, sessionAgent } from './agent.ts'
import type { ScrapeBrowser } from './browser.ts'
import { openCacheSpace } from './cache-space.ts'
import { openFetching } from './fetching.ts'
import type { Model } from './model.ts'
import type { Network } from './network.ts'
import type { Readers } from './readers.ts'
import type { Search } from './search.ts'
import { sessionBrowsers } from './sessions.ts'

/** The folder of the service, which has its documentation beside the code. */
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What every job needs, in the foreground and in the background. */
export type JobNeeds = Pick<
  AppNeeds,
  'store' | 'blobs' | 'clock' | 'log' | 'holder' | 'parentHooks' | 'recordEnding' | 'load' | 'observeEnd'
> &
  Pick<RunNeeds, 'activity'>

export interface AppParts {
  jobs: JobNeeds
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
    rooms: pageRooms(settings.bounds.largePages),
    bounds: settings.bounds,
    hasEnhancedProxy: settings.proxies.enhanced !== undefined,
    models: (teamId, trace) => model?.of(teamId, trace),
    modelTokensPerDay: settings.model?.tokensPerTeamPerDay ?? 0,
    sessions: {
      browsers: sessionBrowsers(settings, { egress: network.egress, log }),
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
