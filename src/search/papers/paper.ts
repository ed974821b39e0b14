import { normalizeResults, type RawResult } from '../providers/normalize-results.ts'
import type {
  ProviderEndpoint,
  ProviderRequest,
  ProviderResponse,
  ProviderResult,
  SearchProvider,
} from '../providers/provider.ts'
import { keyOfUrl, type PaperKey } from './paper-key.ts'

export interface Paper extends ProviderResult {
  /** Ids of the paper by scheme: `doi`, `arxiv`. */
  ids: Record<string, string[]>
  authors: string[]
  categories: string[]
  updatedAt?: number
  citations?: number
  pdfUrl?: string
}

export interface PaperFilter {
  /** Parts of author names. A paper needs a matching author for each. */
  authors: readonly string[]
  categories: readonly string[]
}

export type PaperRelation = 'similar' | 'citers' | 'references'

export type PaperQuery =
  | { kind: 'search'; filter: PaperFilter }
  | { kind: 'look-up'; key: PaperKey }
  | { kind: 'related'; relation: PaperRelation; openalexId: string }

export interface PaperCatalogue {
  provider: SearchProvider
  supportsCategories: boolean
  /** Returns undefined if the catalogue does not support the query. */
  call(
    query: PaperQuery,
    request: ProviderRequest,
    endpoint: ProviderEndpoint,
  ): ReturnType<SearchProvider['call']> | undefined
  read(response: ProviderResponse, request: ProviderRequest): Paper[]
}

export function isPaper(result: ProviderResult): result is Paper {
  return 'ids' in result && 'authors' in result
}

/** A paper without authors or categories matches no filter on them. */
export function fitsFilter({ authors, categories }: Paper, filter: PaperFilter): boolean {
  const names = authors.map((name) => name.toLowerCase())
  const categoryNames = new Set(categories.map((category) => category.toLowerCase()))
  return (
    filter.authors.every((required) => names.some((name) => name.includes(required.toLowerCase()))) &&
    filter.categories.every((required) => categoryNames.has(required.toLowerCase()))
  )
}

interface RawPaper extends RawResult {
  keys: (PaperKey | undefined)[]
  authors?: (string | null | undefined)[]
  categories?: string[]
  updatedAt?: number | undefined
  citations?: number | null | undefined
  pdfUrl?: string | null | undefined
}

const maxAuthors = 200
const maxNameLength = 200

export function normalizePaper(paper: RawPaper): Paper[] {
  const { keys, authors = [], categories = [], updatedAt, citations, pdfUrl } = paper
  return normalizeResults([paper]).map((result) => ({
    ...result,
    ids: groupIds([...keys, keyOfUrl(result.url)]),
    authors: authors
      .slice(0, maxAuthors)
      .flatMap((name) => (name ? [name.slice(0, maxNameLength).replace(/\s+/g, ' ').trim()] : [])),
    categories: categories.slice(0, 50).map((category) => category.slice(0, 50)),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(typeof citations === 'number' ? { citations } : {}),
    ...(pdfUrl && /^https?:\/\//.test(pdfUrl) ? { pdfUrl: pdfUrl.slice(0, 2000) } : {}),
  }))
}

function groupIds(keys: (PaperKey | undefined)[]): Paper['ids'] {
  const known = keys.filter((key) => key !== undefined)
  const ids = [...Map.groupBy(known, ({ scheme }) => scheme)].map(([scheme, group]) => [
    scheme,
    [...new Set(group.map(({ value }) => value))],
  ])
  return Object.fromEntries(ids)
}
