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
import type { AppDeps, Bound } from './app/needs.ts'
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

/** For the browser of a session to be closed. */
const sessionEndMs = 10_000

/** Binds each feature to what it needs: the list of use cases, and of job kinds. */
export function createApp(deps: AppDeps) {
  const bound = bind(deps)
  const { cache, files, kinds, queue } = bound
  const traces = jobTraceUseCases(bound)
  const sessions = sessionUseCases(deps, queue)
  const inBackground: AnyBackgroundKind[] = [
    kinds.scrape,
    kinds.crawlStart,
    kinds.extractFind,
    kinds.extractMerge,
    kinds.agentStep,
    kinds.agentEnd,
  ]
  return {
    kinds: inBackground,
    version: deps.version,
    capabilities: deps.capabilities,
    /** Reads the JSON schema of a caller, or throws BAD_REQUEST with the name of the bound. */
    readSchema: (team: Team, schema: object, signal: AbortSignal) =>
      deps.reader.schema(schema, { who: { team: team.id }, signal }),
    /** The index of the first text that is not a CSS selector. */
    findInvalidSelector: (team: Team, selectors: readonly string[], signal: AbortSignal) =>
      deps.reader.invalidSelector(selectors, { who: { team: team.id }, signal }),
    ...scrapeUseCases(bound),
    ...parseUseCases(bound),
    ...batchScrapeUseCases(bound),
    ...crawlUseCases(bound),
    ...parentUseCases(bound),
    ...traces,
    ...supportUseCases({ ...bound, ...traces }),
    ...extractUseCases(bound),
    agents: agentUseCases(bound),
    ...mapUseCases(bound),
    ...searchUseCases(bound),
    ...researchUseCases(bound),
    ...deliveryUseCases(bound),
    ...feedbackUseCases(bound),
    ...docsSearchUseCases(bound),
    docs: documentation(deps.docsRoot, deps.searchDocs),
    ...usageUseCases(bound),
    operators: operatorUseCases(bound, (team, id) =>
      sessions.end(team, id, AbortSignal.timeout(sessionEndMs)),
    ),
    consoleKey: consoleKey(bound),
    ...trackedPageUseCases(bound),
    teamEvents: teamEvents(bound),
    /** Browser sessions, and interact. */
    sessions,
    readFile: (id: string, expires: string, signature: string) => files.read(id, expires, signature),
    /** Resolves when all writes that responses did not wait for are done. */
    settled: () => cache.settled(),
  }
}

export type App = ReturnType<typeof createApp>

function bind(deps: AppDeps): Bound {
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
