import type { Team } from '../accounts/team.ts'
import { consoleKey } from '../features/console-key.ts'
import { documentation } from '../features/documentation/documentation.ts'
import { teamEvents } from '../features/team-events.ts'
import type { AnyBackgroundKind } from '../jobs/runner.ts'
import { type AppDeps, bindDeps } from './app/needs.ts'
import { pageUseCases } from './app/pages.ts'
import {
  agentUseCases,
  batchScrapeUseCases,
  crawlUseCases,
  extractUseCases,
  parentUseCases,
} from './app/parent-jobs.ts'
import { deliveryUseCases, recordUseCases } from './app/records.ts'
import { researchUseCases, searchUseCases } from './app/search.ts'
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
    findInvalidSelector: (team: Team, selectors: readonly string[], signal: AbortSignal) =>
      deps.reader.invalidSelector(selectors, { who: { team: team.id }, signal }),
    ...pageUseCases(useCaseDeps),
    ...batchScrapeUseCases(useCaseDeps),
    ...crawlUseCases(useCaseDeps),
    ...parentUseCases(useCaseDeps),
    ...records,
    ...supportUseCases({ ...useCaseDeps, jobTrace: records.jobTrace }),
    ...extractUseCases(useCaseDeps),
    agents: agentUseCases(useCaseDeps),
    ...searchUseCases(useCaseDeps),
    ...researchUseCases(useCaseDeps),
    ...deliveryUseCases(useCaseDeps),
    docs: documentation(deps.docsRoot, deps.searchDocs),
    consoleKey: consoleKey(useCaseDeps),
    teamEvents: teamEvents(useCaseDeps),
    sessions,
    readFile: files.read,
    settled: cache.settled,
  }
}

export type App = ReturnType<typeof createApp>
