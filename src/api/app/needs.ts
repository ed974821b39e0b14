import type { Capability } from '../../features/capabilities.ts'
import { createFileStorage } from '../../features/file-storage.ts'
import type { Deps } from '../../features/needs.ts'
import type { Condition } from '../../features/operator/overview.ts'
import { type CacheSpace, createPageCache } from '../../features/scrape/cache.ts'
import type { SearchDeps } from '../../features/search/search.ts'
import type { OpenBrowser } from '../../features/sessions/browser.ts'
import type { RunAgent } from '../../features/sessions/session-router.ts'
import type { Guard } from '../../fetch/network/guard.ts'
import type { PeerClient } from '../../fetch/network/peer.ts'
import type { ObserveEnd } from '../../jobs/ended-job.ts'
import type { ParentHooks } from '../../jobs/finish-parent.ts'
import { foreground } from '../../jobs/foreground.ts'
import type { Load } from '../../jobs/load-limiter.ts'
import { createQueue } from '../../jobs/queue.ts'
import { type KeyedCaller, onceByKey } from '../../jobs/run-once.ts'
import type { Indexing } from '../../search/indexing.ts'
import { jobKinds } from './kinds.ts'

export interface AppDeps extends Deps {
  parentHooks: ParentHooks
  load: Load
  observeEnd?: ObserveEnd
  indexing: Pick<Indexing, 'enqueue' | 'settled'>
  searching: SearchDeps
  docsRoot: string
  hasEnhancedProxy: boolean
  guard: Guard
  modelTokensPerDay: number
  sessions: {
    browsers: OpenBrowser
    agent: RunAgent | undefined
    peers: PeerClient
    peerUrl: () => string
    teamBrowsers: number
    sessionMemory: { eachMegabytes: number; totalMegabytes: number }
  }
  ratePerMinute: number
  supportMs: number
  supportTrialsPerDay: number
  cacheSpace: CacheSpace
  feedback: { windowMs: number; dailyRefunds: number }
  condition: Condition
  capabilities: () => Capability[]
}

type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (deps: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never
}

export function bindAll<
  DepsType,
  Functions extends Record<string, (deps: DepsType, ...args: never[]) => unknown>,
>(deps: DepsType, functions: Functions): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, deps)])
  // The cast is safe: only the first parameter of each function is bound.
  return Object.fromEntries(bound) as Bound<Functions>
}

export type WaitingCaller = Pick<KeyedCaller, 'signal' | 'idempotencyKey'>

export type UseCaseDeps = ReturnType<typeof bindDeps>

export function bindDeps(deps: AppDeps) {
  const cache = createPageCache({ ...deps, isShared: deps.store.isShared })
  const files = createFileStorage(deps)
  const kinds = jobKinds({ ...deps, cache, files })
  const runNow = foreground(deps, deps.teamConcurrency)
  const { scrape, crawlStart: startKind, extractFind: find, agentStep: step } = kinds
  return {
    ...{ ...deps, cache, files, kinds, scrape, startKind, find, step, runNow },
    runOnce: onceByKey(deps, runNow),
    queue: createQueue(deps),
  }
}
