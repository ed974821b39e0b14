import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Clause, Operator, Query } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { DocumentTable } from './tables.ts'

const build = expressionBuilder<{ search_documents: DocumentTable }, 'search_documents'>()

/** Returns the conditions of a query that SQL can check. The others need the text of a document. */
export function searchFilterOf(
  { clauses }: Query,
  range: TimeRange,
  isNews: boolean,
): Expression<SqlBool> | undefined {
  const included = clauses.filter((clause) => !clause.isExcluded)
  const excluded = clauses.filter(({ isExcluded }) => isExcluded)
  const sites = included.flatMap((clause) => valuesOf(clause, 'site'))
  const types = included.flatMap((clause) => valuesOf(clause, 'filetype'))
  const conditions: Expression<SqlBool>[] = []
  if (sites.length > 0) conditions.push(build.or(sites.map(onSite)))
  // A path is narrower than its host, so a condition on the host would exclude too much.
  for (const site of excluded.flatMap((clause) => valuesOf(clause, 'site')))
    if (!site.includes('/')) conditions.push(build.not(onSite(site)))
  if (types.length > 0) conditions.push(build('type', 'in', types.map(withoutVariant)))
  if (range.from !== undefined) conditions.push(build('published_at', '>=', range.from))
  if (range.to !== undefined) conditions.push(build('published_at', '<=', range.to))
  if (isNews) conditions.push(build('news', '=', 1))
  return conditions.length > 0 ? build.and(conditions) : undefined
}

const withoutVariant = (type: string) => (type === 'htm' ? 'html' : type)

/** Returns the values of a clause in which every alternative is this operator. */
function valuesOf({ terms }: Clause, name: Operator): string[] {
  const values = terms.flatMap((term) => (term.kind === 'operator' && term.name === name ? term.value : []))
  return values.length === terms.length ? values : []
}

/** Matches a site and the range of its subdomains. A path is checked later, with the text of a document. */
function onSite(site: string): Expression<SqlBool> {
  const reversed = reverseHost(site.split('/')[0] ?? '')
  return build.or([
    build('site', '=', reversed),
    build.and([build('site', '>', `${reversed}.`), build('site', '<', `${reversed}/`)]),
  ])
}

export const reverseHost = (host: string) => host.split('.').toReversed().join('.')
