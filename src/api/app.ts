import type { Team } from '../accounts/team.ts'
import { consoleKey } from '../features/console-key.ts'
import { documentation } from '../features/documentation/documentation.ts'
import { createFileStorage } from '../features/file-storage.ts'
import { createPageCache } from '../features/scrape/cache.ts'
import { teamEvents } from '../features/team-events.ts'
import { foreground } from '../jobs/foreground.ts'
import { createQueue } from '../jobs/queue.ts'
import { onceByKey } from '../jobs/run-once.ts'
import type { AnyBackgroundKind } from '../jobs/runner.ts'
import { jobKinds } from './app/kinds.ts'
import type { AppDeps, UseCaseDeps } from './app/needs.ts'
import { mapUseCases, parseUseCases, scrapeUseCases } from './app/pages.ts'
import {
  agentUseCases,
  batchScrapeUseCases,
  crawlUseCases,
  extractUseCases,
  parentUseCases,
} from './app/parent-jobs.ts'
import {
  deliveryUseCases,
  jobTraceUseCases,
  operatorUseCases,
  trackedPageUseCases,
  usageUseCases,
} from './app/records.ts'
import { researchUseCases } from './app/research.ts'
import { searchUseCases } from './app/search.ts'
import { sessionUseCases } from './app/sessions.ts'
import { docsSearchUseCases, feedbackUseCases, supportUseCases } from './app/support.ts'

export type { AppDeps } from './app/needs.ts'
export type { ParentKind } from './app/parent-jobs.ts'

const sessionEndMs = 10_000

export function createApp(deps: AppDeps) {
  const useCaseDeps = bindDeps(deps)
  const { cache, files, kinds, queue } = useCaseDeps
  const traces = jobTraceUseCases(useCaseDeps)
  const sessions = sessionUseCases(deps, queue)
  const backgroundKinds: AnyBackgroundKind[] = [
    kinds.scrape,
    kinds.crawlStart,
    kinds.extractFind,
    kinds.extractMerge,
    kinds.agentStep,
    kinds.agentEnd,
  ]
  return {
    kinds: backgroundKinds,
    version: deps.version,
    capabilities: deps.capabilities,
    readSchema: (team: Team, schema: object, signal: AbortSignal) =>
      deps.reader.schema(schema, { who: { team: team.id }, signal }),
    /** Returns the index of the first text that is not a CSS selector. */
    findInvalidSelector: (team: Team, selectors: readonly string[], signal: AbortSignal) =>
      deps.reader.invalidSelector(selectors, { who: { team: team.id }, signal }),
    ...scrapeUseCases(useCaseDeps),
    ...parseUseCases(useCaseDeps),
    ...batchScrapeUseCases(useCaseDeps),
    ...crawlUseCases(useCaseDeps),
    ...parentUseCases(useCaseDeps),
    ...traces,
    ...supportUseCases({ ...useCaseDeps, ...traces }),
    ...extractUseCases(useCaseDeps),
    agents: agentUseCases(useCaseDeps),
    ...mapUseCases(useCaseDeps),
    ...searchUseCases(useCaseDeps),
    ...researchUseCases(useCaseDeps),
    ...deliveryUseCases(useCaseDeps),
    ...feedbackUseCases(useCaseDeps),
    ...docsSearchUseCases(useCaseDeps),
    docs: documentation(deps.docsRoot, deps.searchDocs),
    ...usageUseCases(useCaseDeps),
    operators: operatorUseCases(useCaseDeps, (team, id) =>
      sessions.end(team, id, AbortSignal.timeout(sessionEndMs)),
    ),
    consoleKey: consoleKey(useCaseDeps),
    ...trackedPageUseCases(useCaseDeps),
    teamEvents: teamEvents(useCaseDeps),
    sessions,
    readFile: (id: string, expires: string, signature: string) => files.read(id, expires, signature),
    /** Resolves when all pending cache writes are done. Responses do not wait for these writes. */
    settled: () => cache.settled(),
  }
}

export type App = ReturnType<typeof createApp>

function bindDeps(deps: AppDeps): UseCaseDeps {
  const cache = createPageCache({ ...deps, isShared: deps.store.isShared })
  const files = createFileStorage(deps)
  const runNow = foreground(deps, deps.teamConcurrency)
  return {
    ...deps,
    cache,
    files,
    kinds: jobKinds({ ...deps, cache, files }),
    runNow,
    runOnce: onceByKey(deps, runNow),
    queue: createQueue(deps),
  }
}
