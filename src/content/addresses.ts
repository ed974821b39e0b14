import { attr, tag } from './tree/names.ts'
import { attribute, type Tree } from './tree/tree.ts'

/** Returns the URL that relative links are resolved against: the first `<base href>`, else the page URL. */
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

/** Returns the absolute form of a URL. Returns undefined if it is empty, invalid, a script URL or a data URL. */
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

/**
 * Joins a URL with a prefix of the base, which takes a quarter of the time of parsing. A page has hundreds of links,
 * and most need no more. Returns undefined if parsing might change a character.
 */
function joinUrl(href: string, base: string): string | undefined {
  if (href.length > maxPatternLength) return undefined
  const first = href.charCodeAt(0)
  if (first === slash) return plainPath.test(href) ? append(getBaseParts(base).site, href) : undefined
  if (first === hash) return plainFragment.test(href) ? append(getBaseParts(base).page, href) : undefined
  if (href.startsWith('http')) return plainUrl.test(href) ? href : undefined
  return plainName.test(href) ? append(getBaseParts(base).folder, href) : undefined
}

/**
 * Maximum length of a URL that the patterns are tested on. Their memory grows with each repetition, and a URL may have
 * a million segments.
 */
const maxPatternLength = 2000
const slash = 47
const hash = 35

const append = (start: string | undefined, href: string) => (start === undefined ? undefined : start + href)

// A segment that begins with a dot, possibly encoded, may be "." or "..", which the parser resolves.
const segments = '(?:/(?:[\\w~!$&()*+,;=:@-][\\w~!$&()*+,;=:@.%-]*)?)'
const queryAndFragment = '(?:[?#][\\w.~!$&()*+,;=:@%/?#-]*)?$'
// Excludes digits in the last label and non-ASCII letters, because hosts have special rules for them.
const host = '(?:(?!xn--)[a-z0-9-]+\\.)+(?!xn--)[a-z][a-z0-9-]*'

const plainUrl = new RegExp(`^https?://${host}${segments}+${queryAndFragment}`)
const plainPath = new RegExp(`^(?!//)${segments}+${queryAndFragment}`)
const plainName = new RegExp(`^[A-Za-z0-9][\\w~!$&()*+,;=@.%-]*${segments}*${queryAndFragment}`)
const plainFragment = /^#[\w.~!$&()*+,;=:@%/?#-]*$/

/** Prefixes that relative URLs take from a base. */
interface BaseParts {
  base: string
  /** Up to the path, up to its last slash, and up to the fragment; undefined if the base is not an HTTP URL. */
  site: string | undefined
  folder: string | undefined
  page: string | undefined
}

let lastParts: BaseParts = { base: '', site: undefined, folder: undefined, page: undefined }

/** Returns the prefixes of a base. Only the last base is cached, because pages are read one after another. */
function getBaseParts(base: string): BaseParts {
  if (lastParts.base === base) return lastParts
  const isWeb = /^https?:/.test(URL.parse(base)?.protocol ?? '')
  const resolved = (href: string) => (isWeb ? URL.parse(href, base)?.href : undefined)
  lastParts = {
    base,
    site: resolved('/')?.slice(0, -1),
    folder: resolved('.'),
    page: resolved('#')?.slice(0, -1),
  }
  return lastParts
}
