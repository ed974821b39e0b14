import type { Clause, Query, Term } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { DocumentFilter } from './find-documents.ts'

type OperatorTerm = Term & { kind: 'operator' }

/** The part of a query that the store can answer; the rest is looked at in what it finds. */
export function filterOf({ clauses }: Query, range: TimeRange, isNews: boolean): DocumentFilter {
  const filter: DocumentFilter = {}
  const included = clauses.filter((clause) => !clause.isExcluded)
  const sites = included.flatMap((clause) => valuesOf(clause, 'site'))
  const types = included.flatMap((clause) => valuesOf(clause, 'filetype'))
  const excluded = clauses
    .filter(({ isExcluded }) => isExcluded)
    .flatMap((clause) => valuesOf(clause, 'site'))
  // A path is narrower than its host: leaving out the host would leave out too much.
  const excludedSites = excluded.filter((site) => !site.includes('/'))
  if (sites.length > 0) filter.sites = sites
  if (excludedSites.length > 0) filter.excludedSites = excludedSites
  if (types.length > 0) filter.types = types.flatMap((type) => (type === 'htm' ? ['html'] : type))
  if (range.from !== undefined) filter.from = range.from
  if (range.to !== undefined) filter.to = range.to
  if (isNews) filter.isNews = true
  for (const clause of included) addSize(clause, filter)
  return filter
}

/** The values of a clause in which every alternative is this operator. */
function valuesOf({ terms }: Clause, name: OperatorTerm['name']): string[] {
  const all = terms.filter((term) => term.kind === 'operator' && term.name === name) as OperatorTerm[]
  return all.length === terms.length ? all.map(({ value }) => value) : []
}

function addSize({ terms }: Clause, filter: DocumentFilter): void {
  const [term] = terms
  if (terms.length !== 1 || term?.kind !== 'size') return
  const { width, height } = term
  if (term.name === 'larger') filter.larger = { width, height }
  else filter.imageSize = { width, height }
}
