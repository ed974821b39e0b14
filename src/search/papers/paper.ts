import { normalizeResults, type Said } from '../providers/normalize-results.ts'
import type {
  ProviderAnswer,
  ProviderPlace,
  ProviderRequest,
  ProviderResult,
  SearchProvider,
} from '../providers/provider.ts'
import { keyOfAddress, type PaperKey, type PaperScheme } from './paper-key.ts'

/** A result that is a paper, with what catalogues of papers say of it. */
export interface Paper extends ProviderResult {
  /** What it is known by, each by its scheme: `doi`, `arxiv`. */
  ids: Record<string, string[]>
  authors: string[]
  /** Categories of arXiv. */
  categories: string[]
  /** When it was changed last, in milliseconds since 1970. */
  updatedAt?: number
  /** How many papers cite it. */
  citations?: number
  pdfUrl?: string
}

export interface PaperFilter {
  /** Parts of names; a paper has an author for each. */
  authors: readonly string[]
  categories: readonly string[]
}

/** How a paper is connected to another. */
export type PaperRelation = 'similar' | 'citers' | 'references'

/** What a catalogue of papers can be asked for. */
export type PaperQuery =
  | { kind: 'search'; filter: PaperFilter }
  | { kind: 'look-up'; key: PaperKey }
  | { kind: 'related'; relation: PaperRelation; openalexId: string }

/** A provider that knows more of papers than where they are found. */
export interface PaperCatalogue {
  provider: SearchProvider
  knowsCategories: boolean
  /** Undefined: it cannot be asked for that. */
  call(
    query: PaperQuery,
    request: ProviderRequest,
    place: ProviderPlace,
  ): ReturnType<SearchProvider['call']> | undefined
  read(answer: ProviderAnswer, request: ProviderRequest): Paper[]
}

export function isPaper(result: ProviderResult): result is Paper {
  return 'ids' in result && 'authors' in result
}

/** Whether a paper holds to a filter; one that says nothing of its authors or categories does not. */
export function fitsFilter({ authors, categories }: Paper, filter: PaperFilter): boolean {
  const names = authors.map((name) => name.toLowerCase())
  const known = new Set(categories.map((category) => category.toLowerCase()))
  return (
    filter.authors.every((wanted) => names.some((name) => name.includes(wanted.toLowerCase()))) &&
    filter.categories.every((wanted) => known.has(wanted.toLowerCase()))
  )
}

/** What a catalogue says of a paper, as it stands there. */
export interface RawPaper extends Said {
  keys: (PaperKey | undefined)[]
  authors?: (string | null | undefined)[]
  categories?: string[]
  updatedAt?: number | undefined
  citations?: number | null | undefined
  pdfUrl?: string | null | undefined
}

const maxAuthors = 200
const maxNameLength = 200

/** A paper of known shape and size; none where it has no address. */
export function normalizePaper({ keys, authors = [], categories = [], ...said }: RawPaper): Paper[] {
  const { updatedAt, citations, pdfUrl, ...found } = said
  const [result] = normalizeResults([found])
  if (!result) return []
  return [
    {
      ...result,
      ids: idsOf([...keys, keyOfAddress(result.url)]),
      authors: authors
        .slice(0, maxAuthors)
        .flatMap((name) => (name ? [name.slice(0, maxNameLength).replace(/\s+/g, ' ').trim()] : [])),
      categories: categories.slice(0, 50).map((category) => category.slice(0, 50)),
      ...(updatedAt === undefined ? {} : { updatedAt }),
      ...(typeof citations === 'number' ? { citations } : {}),
      ...(pdfUrl && /^https?:\/\//.test(pdfUrl) ? { pdfUrl: pdfUrl.slice(0, 2000) } : {}),
    },
  ]
}

function idsOf(keys: (PaperKey | undefined)[]): Paper['ids'] {
  const ids: Partial<Record<PaperScheme, string[]>> = {}
  for (const key of keys) {
    if (!key) continue
    const known = ids[key.scheme] ?? []
    if (!known.includes(key.value)) ids[key.scheme] = [...known, key.value]
  }
  return ids
}
