import { attr, tag } from './tree/names.ts'
import { attribute, type Tree } from './tree/tree.ts'

export function baseUrl(tree: Tree, pageUrl: string): string {
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.base) continue
    const href = attribute(tree, node, attr.href)
    if (href === undefined) continue
    const url = absoluteUrl(href, pageUrl)
    return url && /^https?:/.test(url) ? url : pageUrl
  }
  return pageUrl
}

/** URL of content that has none, such as an uploaded file. Relative URLs in such content stay as written. */
export const emptyUrl = 'file:///'

/** Returns undefined for a URL that is empty, invalid, a script or data. */
export function absoluteUrl(href: string | undefined, base: string): string | undefined {
  if (!href) return undefined
  if (base === emptyUrl && !URL.canParse(href)) return href.trim() || undefined
  return joinUrl(href, base) ?? parseUrl(href, base)
}

function parseUrl(href: string, base: string): string | undefined {
  const trimmed = href.trim()
  if (trimmed === '') return undefined
  const url = URL.parse(trimmed, base)
  if (!url || /^(?:javascript|vbscript|data):$/.test(url.protocol)) return undefined
  return url.href
}

/** Takes a quarter of the time of parsing. Returns undefined if parsing might change a character. */
function joinUrl(href: string, base: string): string | undefined {
  if (href.length > maxPatternLength) return undefined
  const first = href.charCodeAt(0)
  if (first === slash) return plainPath.test(href) ? append(getBaseParts(base).site, href) : undefined
  if (first === hash) return plainFragment.test(href) ? append(getBaseParts(base).page, href) : undefined
  if (href.startsWith('http')) return plainUrl.test(href) ? href : undefined
  return plainName.test(href) ? append(getBaseParts(base).folder, href) : undefined
}

/** The memory that the patterns need grows with each repetition, and a URL may have a million segments. */
const maxPatternLength = 2000
const slash = 47
const hash = 35

const append = (start: string | undefined, href: string) => (start === undefined ? undefined : start + href)

// A segment that begins with a dot, possibly encoded, may be "." or "..", which the parser resolves.
const segments = '(?:/(?:[\\w~!$&()*+,;=:@-][\\w~!$&()*+,;=:@.%-]*)?)'
const queryAndFragment = '(?:[?#][\\w.~!$&()*+,;=:@%/?#-]*)?$'
// Excludes Punycode, non-ASCII letters and a digit at the start of the last label, which have special rules.
const host = '(?:(?!xn--)[a-z0-9-]+\\.)+(?!xn--)[a-z][a-z0-9-]*'
const plainUrl = new RegExp(`^https?://${host}${segments}+${queryAndFragment}`)
const plainPath = new RegExp(`^(?!//)${segments}+${queryAndFragment}`)
const plainName = new RegExp(`^[A-Za-z0-9][\\w~!$&()*+,;=@.%-]*${segments}*${queryAndFragment}`)
const plainFragment = /^#[\w.~!$&()*+,;=:@%/?#-]*$/

/** Only the last base is cached, because pages are read one after another. */
let lastParts = readBaseParts('')

function getBaseParts(base: string): typeof lastParts {
  if (lastParts.base !== base) lastParts = readBaseParts(base)
  return lastParts
}

function readBaseParts(base: string) {
  const isWeb = /^https?:/.test(URL.parse(base)?.protocol ?? '')
  const resolved = (href: string) => (isWeb ? URL.parse(href, base)?.href : undefined)
  return {
    base,
    site: resolved('/')?.slice(0, -1),
    folder: resolved('.'),
    page: resolved('#')?.slice(0, -1),
  }
}
