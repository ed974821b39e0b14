import type { Team } from '../accounts/team.ts'
import { searchDocumentation } from '../features/docs-search/docs-search.ts'
import type { DocsSearchRequest } from '../features/docs-search/schema.ts'
import type { Bound } from './needs.ts'

/** Questions about the service itself. */
export function docsSearchUseCases({ searchDocs, models }: Pick<Bound, 'searchDocs' | 'models'>) {
  return {
    searchDocs: (team: Team, request: DocsSearchRequest, signal: AbortSignal) =>
      searchDocumentation({ searchDocs, models }, { team, request }, signal),
  }
}
