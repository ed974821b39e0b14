import { resultsOf, type Said } from '../providers/results-of.ts'
import type { Paper } from './paper.ts'
import { keyOfAddress, type PaperKey, type PaperScheme } from './paper-key.ts'

/** What a catalogue says of a paper, as it stands there. */
export interface SaidOfPaper extends Said {
  keys: (PaperKey | undefined)[]
  authors?: (string | null | undefined)[]
  categories?: string[]
  updatedAt?: number | undefined
  citations?: number | null | undefined
  pdfUrl?: string | null | undefined
}

const mostAuthors = 200
const mostOfName = 200

/** A paper of known shape and size; none where it has no address. */
export function paperOf({ keys, authors = [], categories = [], ...said }: SaidOfPaper): Paper[] {
  const { updatedAt, citations, pdfUrl, ...found } = said
  const [result] = resultsOf([found])
  if (!result) return []
  return [
    {
      ...result,
      ids: idsOf([...keys, keyOfAddress(result.url)]),
      authors: authors
        .slice(0, mostAuthors)
        .flatMap((name) => (name ? [name.slice(0, mostOfName).replace(/\s+/g, ' ').trim()] : [])),
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
