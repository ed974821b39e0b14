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
import { deliveryUseCases, recordUseCases } from './app/records.ts'
import { researchUseCases } from './app/research.ts'
import { searchUseCases } from './app/search.ts'
import { sessionUseCases } from './app/sessions.ts'
import { supportUseCases } from './app/support.ts'

const sessionEndMs = 10_000

export function createApp(deps: AppDeps) {
  const useCaseDeps = bindDeps(deps)
  const { cache, files, kinds } = useCaseDeps
  const sessions = sessionUseCases(useCaseDeps)
  const records = recordUseCases(useCaseDeps, (team, id) =>
    sessions.end(team, id, AbortSignal.timeout(sessionEndMs)),
  )
  const { scrape, crawlStart, extractFind, extractMerge, agentStep, agentEnd } = kinds
  const backgroundKinds: AnyBackgroundKind[] = [
    scrape,
    crawlStart,
    extractFind,
    extractMerge,
    agentStep,
    agentEnd,
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
    ...records,
    ...supportUseCases({ ...useCaseDeps, jobTrace: records.jobTrace }),
    ...extractUseCases(useCaseDeps),
    agents: agentUseCases(useCaseDeps),
    ...mapUseCases(useCaseDeps),
    ...searchUseCases(useCaseDeps),
    ...researchUseCases(useCaseDeps),
    ...deliveryUseCases(useCaseDeps),
    docs: documentation(deps.docsRoot, deps.searchDocs),
    consoleKey: consoleKey(useCaseDeps),
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
