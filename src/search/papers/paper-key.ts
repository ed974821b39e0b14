import { decodePercent } from '../../platform/url.ts'

export const paperSchemes = ['arxiv', 'doi', 'pmid', 'pmcid', 'openalex'] as const
export type PaperScheme = (typeof paperSchemes)[number]

export interface PaperKey {
  scheme: PaperScheme
  value: string
}

const prefixedId = /^(arxiv|doi|pmid|pmcid|openalex):\s*(.+)$/i
const arxivId = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i
const doiForm = /^10\.\d{4,9}\/\S+$/
const doiOfArxiv = /^10\.48550\/arxiv\.(.+)$/i

/** Parses an id of a paper: `doi:…`, `arxiv:…`, `pmid:…`, a URL or a bare id. */
export function readPaperKey(text: string): PaperKey | undefined {
  const trimmed = text.trim()
  const [, scheme, value] = prefixedId.exec(trimmed) ?? []
  if (scheme !== undefined && value !== undefined)
    return normalizeKey(scheme.toLowerCase() as PaperScheme, value)
  if (/^https?:\/\//i.test(trimmed)) return keyOfUrl(trimmed)
  if (arxivId.test(trimmed)) return normalizeKey('arxiv', trimmed)
  if (doiForm.test(trimmed)) return normalizeKey('doi', trimmed)
  if (/^PMC\d+$/i.test(trimmed)) return normalizeKey('pmcid', trimmed)
  return /^W\d+$/i.test(trimmed) ? normalizeKey('openalex', trimmed) : undefined
}

export function keyOfUrl(address: string): PaperKey | undefined {
  const url = URL.parse(address)
  if (!url) return undefined
  const host = url.hostname.replace(/^www\./, '')
  const path = decodePercent(url.pathname).replace(/^\/|\/$/g, '')
  if (/(?:^|\.)arxiv\.org$/.test(host)) {
    const [, id] = /^(?:abs|pdf|html)\/(.+?)(?:\.pdf)?$/.exec(path) ?? []
    return id === undefined ? undefined : normalizeKey('arxiv', id)
  }
  if (host === 'doi.org' || host === 'dx.doi.org') return normalizeKey('doi', path)
  if (host === 'openalex.org') return normalizeKey('openalex', path.replace(/^works\//, ''))
  if (host === 'pubmed.ncbi.nlm.nih.gov') return normalizeKey('pmid', path)
  const [, pmc] = /^(?:pmc\/)?articles\/(PMC\d+)/i.exec(path) ?? []
  return pmc !== undefined && /(?:^|\.)ncbi\.nlm\.nih\.gov$/.test(host)
    ? normalizeKey('pmcid', pmc)
    : undefined
}

export const writePaperKey = ({ scheme, value }: PaperKey) => `${scheme}:${value}`

/** Returns one key for all spellings of an id; undefined if the text is not an id of the scheme. */
function normalizeKey(scheme: PaperScheme, text: string): PaperKey | undefined {
  const value = text.trim()
  if (scheme === 'arxiv')
    return arxivId.test(value) ? { scheme, value: value.replace(/v\d+$/i, '') } : undefined
  if (scheme === 'doi') {
    const doi = value.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '').toLowerCase()
    const [, arxivValue] = doiOfArxiv.exec(doi) ?? []
    if (arxivValue !== undefined) return normalizeKey('arxiv', arxivValue)
    return doiForm.test(doi) ? { scheme, value: doi } : undefined
  }
  if (scheme === 'pmid') return /^\d{1,9}$/.test(value) ? { scheme, value } : undefined
  if (scheme === 'pmcid') {
    const [, digits] = /^(?:PMC)?(\d{1,9})$/i.exec(value) ?? []
    return digits === undefined ? undefined : { scheme, value: `PMC${digits}` }
  }
  return /^W\d+$/i.test(value) ? { scheme, value: value.toUpperCase() } : undefined
}
