import type { Query, Term } from '../query/query.ts'

/**
 * The hosts that a query asks for and those that it leaves out, for services that take them as lists. It may say less
 * than the query, never more: results are filtered by the whole of it afterwards.
 */
export function siteDomains({ clauses }: Query): { included: string[]; excluded: string[] } {
  const included = clauses.find(
    ({ terms, isExcluded }) => !isExcluded && terms.every((term) => hostOf(term) !== undefined),
  )
  const excluded = clauses.flatMap(({ terms, isExcluded }) => (isExcluded ? terms : []))
  return {
    included: (included?.terms ?? []).flatMap((term) => hostOf(term) ?? []),
    // To leave out a host for one of its paths would lose the rest of it.
    excluded: excluded.filter((term) => !hasPath(term)).flatMap((term) => hostOf(term) ?? []),
  }
}

/** `site:` also takes the end of a host, as in `site:edu`; that is no host. */
function hostOf(term: Term): string | undefined {
  if (term.kind !== 'operator' || term.name !== 'site') return undefined
  const [host = ''] = term.value.split('/', 1)
  return host.includes('.') ? host : undefined
}

function hasPath(term: Term): boolean {
  return term.kind === 'operator' && term.value.includes('/')
}

/** A list as a parameter; absent where it is empty. */
export function nonEmpty(hosts: string[], most: number): string[] | undefined {
  return hosts.length === 0 ? undefined : hosts.slice(0, most)
}
