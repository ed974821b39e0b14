export const paperSchemes = ['arxiv', 'doi', 'pmid', 'pmcid', 'openalex'] as const
export type PaperScheme = (typeof paperSchemes)[number]

/** One of the names of a paper. */
export interface PaperKey {
  scheme: PaperScheme
  value: string
}

const named = /^(arxiv|doi|pmid|pmcid|openalex):\s*(.+)$/i
const arxivId = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i
const doiForm = /^10\.\d{4,9}\/\S+$/
/** The DOIs that arXiv gives to its own papers. */
const doiOfArxiv = /^10\.48550\/arxiv\.(.+)$/i

/** Reads the ways in which papers are named: `doi:…`, `arxiv:…`, `pmid:…`, addresses, bare ids. */
export function readPaperKey(text: string): PaperKey | undefined {
  const trimmed = text.trim()
  const [, scheme, value] = named.exec(trimmed) ?? []
  if (scheme !== undefined && value !== undefined) return keyOf(scheme.toLowerCase() as PaperScheme, value)
  if (/^https?:\/\//i.test(trimmed)) return keyOfAddress(trimmed)
  if (arxivId.test(trimmed)) return keyOf('arxiv', trimmed)
  if (doiForm.test(trimmed)) return keyOf('doi', trimmed)
  if (/^PMC\d+$/i.test(trimmed)) return keyOf('pmcid', trimmed)
  return /^W\d+$/i.test(trimmed) ? keyOf('openalex', trimmed) : undefined
}

/** The name of a paper in the address of its page, where it stands there. */
export function keyOfAddress(address: string): PaperKey | undefined {
  const url = URL.parse(address)
  if (!url) return undefined
  const host = url.hostname.replace(/^www\./, '')
  const path = decoded(url.pathname).replace(/^\/|\/$/g, '')
  if (/(?:^|\.)arxiv\.org$/.test(host)) {
    const [, id] = /^(?:abs|pdf|html)\/(.+?)(?:\.pdf)?$/.exec(path) ?? []
    return id === undefined ? undefined : keyOf('arxiv', id)
  }
  if (host === 'doi.org' || host === 'dx.doi.org') return keyOf('doi', path)
  if (host === 'openalex.org') return keyOf('openalex', path.replace(/^works\//, ''))
  if (host === 'pubmed.ncbi.nlm.nih.gov') return keyOf('pmid', path)
  const [, pmc] = /^(?:pmc\/)?articles\/(PMC\d+)/i.exec(path) ?? []
  return pmc !== undefined && /(?:^|\.)ncbi\.nlm\.nih\.gov$/.test(host) ? keyOf('pmcid', pmc) : undefined
}

export function writePaperKey({ scheme, value }: PaperKey): string {
  return `${scheme}:${value}`
}

/** One paper has one key, however it is written; undefined where it is none of that scheme. */
function keyOf(scheme: PaperScheme, text: string): PaperKey | undefined {
  const value = text.trim()
  if (scheme === 'arxiv')
    return arxivId.test(value) ? { scheme, value: value.replace(/v\d+$/i, '') } : undefined
  if (scheme === 'doi') {
    const doi = value.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '').toLowerCase()
    const [, ofArxiv] = doiOfArxiv.exec(doi) ?? []
    if (ofArxiv !== undefined) return keyOf('arxiv', ofArxiv)
    return doiForm.test(doi) ? { scheme, value: doi } : undefined
  }
  if (scheme === 'pmid') return /^\d{1,9}$/.test(value) ? { scheme, value } : undefined
  if (scheme === 'pmcid') {
    const [, digits] = /^(?:PMC)?(\d{1,9})$/i.exec(value) ?? []
    return digits === undefined ? undefined : { scheme, value: `PMC${digits}` }
  }
  return /^W\d+$/i.test(value) ? { scheme, value: value.toUpperCase() } : undefined
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
