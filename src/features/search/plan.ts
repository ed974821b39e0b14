import type { SearchCategory, SearchSource } from '../../search/providers/provider.ts'
import { type Clause, parseQuery, type Query } from '../../search/query/query.ts'
import { parseTimeRange, type TimeRange } from '../../search/query/time-range.ts'
import type { SearchRequest, SourceOptions } from './schema.ts'

/** Plan for one result list: a source, or a category of web results. */
export interface SearchPlan {
  source: SearchSource
  category: SearchCategory | undefined
  /** Query for providers of the category, all of whose results belong to the category. */
  query: Query
  /** Query for all other providers, limited to the sites or file types of the category. */
  narrowed: Query
  range: TimeRange
  country: string | undefined
  isCountryAssumed: boolean
  location: string | undefined
  language: string | undefined
  isSafe: boolean | undefined
  limit: number
}

const academicSites = [
  ...['arxiv.org', 'scholar.google.com', 'pubmed.ncbi.nlm.nih.gov', 'researchgate.net', 'nature.com'],
  ...['science.org', 'ieee.org', 'acm.org', 'springer.com', 'wiley.com', 'sciencedirect.com', 'plos.org'],
  ...['biorxiv.org', 'medrxiv.org'],
]

/** Query clause that limits results to a category. */
const categoryClauses: Record<SearchCategory, Clause> = {
  github: sitesOf(['github.com']),
  research: sitesOf(academicSites),
  pdf: { terms: [{ kind: 'operator', name: 'filetype', value: 'pdf' }], isExcluded: false },
}

/** Builds one plan for each source and category of the request, without side effects. */
export function planSearch(request: SearchRequest, now: number): SearchPlan[] {
  const query = queryOf(request)
  return request.sources.flatMap((sourceOptions) => {
    const { type: source } = sourceOptions
    const common = commonOptions(request, sourceOptions, now)
    const plan = (category: SearchCategory | undefined): SearchPlan => ({
      ...{ ...common, source, category, query },
      narrowed: category === undefined ? query : withClause(query, categoryClauses[category]),
    })
    const categories = source === 'web' ? [...new Set(request.categories)] : []
    return categories.length === 0 ? [plan(undefined)] : categories.map(plan)
  })
}

function commonOptions(
  request: SearchRequest,
  sourceOptions: SourceOptions,
  now: number,
): Omit<SearchPlan, 'source' | 'category' | 'query' | 'narrowed'> {
  const location = sourceOptions.location ?? request.location
  const country = sourceOptions.country ?? request.country
  const tbs = sourceOptions.type === 'images' ? '' : (sourceOptions.tbs ?? request.tbs ?? '')
  const isCountryAssumed = country === undefined && location === undefined
  return {
    range: parseTimeRange(tbs, now),
    ...{ country: isCountryAssumed ? 'US' : country, isCountryAssumed, location },
    ...{ language: sourceOptions.lang ?? request.lang, isSafe: request.safe, limit: request.limit },
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

function withClause(query: Query, clause: Clause): Query {
  return { ...query, clauses: [...query.clauses, clause] }
}

function sitesOf(sites: readonly string[]): Clause {
  return {
    terms: sites.map((value) => ({ kind: 'operator', name: 'site', value })),
    isExcluded: false,
  }
}
