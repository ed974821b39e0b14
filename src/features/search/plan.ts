import type { ProviderRequest, SearchCategory } from '../../search/providers/provider.ts'
import { type Clause, parseQuery, type Query } from '../../search/query/query.ts'
import { parseTimeRange } from '../../search/query/time-range.ts'
import { present } from '../present.ts'
import type { SearchRequest, SourceOptions } from './schema.ts'

export interface SearchPlan {
  category: SearchCategory | undefined
  /** Query for providers of the category, all of whose results belong to the category. */
  query: Query
  /** Request to all other providers, limited to the sites or file types of the category. */
  request: ProviderRequest
}

const academicSites = [
  ...['arxiv.org', 'scholar.google.com', 'pubmed.ncbi.nlm.nih.gov', 'researchgate.net', 'nature.com'],
  ...['science.org', 'ieee.org', 'acm.org', 'springer.com', 'wiley.com', 'sciencedirect.com', 'plos.org'],
  ...['biorxiv.org', 'medrxiv.org'],
]

const categoryClauses: Record<SearchCategory, Clause> = {
  github: sitesOf(['github.com']),
  research: sitesOf(academicSites),
  pdf: { terms: [{ kind: 'operator', name: 'filetype', value: 'pdf' }], isExcluded: false },
}

export function planSearch(request: SearchRequest, now: number): SearchPlan[] {
  const query = queryOf(request)
  return request.sources.flatMap((sourceOptions) => {
    const options = commonOptions(request, sourceOptions, now)
    const plan = (category: SearchCategory | undefined): SearchPlan => {
      const narrowed = category === undefined ? query : withClause(query, categoryClauses[category])
      return { category, query, request: { ...options, query: narrowed } }
    }
    const categories = options.source === 'web' ? [...new Set(request.categories)] : []
    return categories.length === 0 ? [plan(undefined)] : categories.map(plan)
  })
}

function commonOptions({ limit, safe, ...request }: SearchRequest, options: SourceOptions, now: number) {
  const { type: source, location = request.location, country = request.country } = options
  const tbs = source === 'images' ? '' : (options.tbs ?? request.tbs ?? '')
  const isCountryAssumed = country === undefined && location === undefined
  return {
    ...{ source, limit, now, isCountryAssumed, range: parseTimeRange(tbs, now) },
    ...present({ country: isCountryAssumed ? 'US' : country, location, isSafe: safe }),
    ...present({ language: options.lang ?? request.lang }),
  }
}

function queryOf({ query, includeDomains = [], excludeDomains = [] }: SearchRequest): Query {
  const parsed = parseQuery(query)
  const included = includeDomains.length > 0 ? withClause(parsed, sitesOf(includeDomains)) : parsed
  return excludeDomains.reduce(
    (limited, domain) => withClause(limited, { ...sitesOf([domain]), isExcluded: true }),
    included,
  )
}

export function withClause(query: Query, clause: Clause): Query {
  return { ...query, clauses: [...query.clauses, clause] }
}

export function sitesOf(sites: readonly string[]): Clause {
  return { terms: sites.map((value) => ({ kind: 'operator', name: 'site', value })), isExcluded: false }
}
