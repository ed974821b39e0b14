import { attr, tag } from './tree/names.ts'
import { attribute, type Tree } from './tree/tree.ts'

/** The address that relative links start from: the first `<base href>`, else the page itself. */
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

/** The address of what has none, such as a file that was sent: relative addresses in it stay as they are. */
export const emptyUrl = 'file:///'

/** An address made absolute. Nothing for one that is empty, invalid, a script or carries its own bytes. */
export function absoluteUrl(href: string | undefined, base: string): string | undefined {
  if (!href) return undefined
  if (base === emptyUrl && !URL.canParse(href)) return href.trim() || undefined
  return joinedUrl(href, base) ?? parsedUrl(href, base)
}

function parsedUrl(href: string, base: string): string | undefined {
  const trimmed = href.trim()
  if (trimmed === '') return undefined
  const url = URL.parse(trimmed, base)
  if (!url || /^(?:javascript|vbscript|data):$/.test(url.protocol)) return undefined
  return url.href
}

/**
 * A page has hundreds of links, and most need nothing but to be put behind a part of the base, which takes a
 * quarter of the time of parsing. Nothing for one in which parsing might change a character.
 */
function joinedUrl(href: string, base: string): string | undefined {
  if (href.length > longest) return undefined
  const first = href.charCodeAt(0)
  if (first === slash) return plainPath.test(href) ? behind(partsOf(base).site, href) : undefined
  if (first === hash) return plainFragment.test(href) ? behind(partsOf(base).page, href) : undefined
  if (href.startsWith('http')) return plainUrl.test(href) ? href : undefined
  return plainName.test(href) ? behind(partsOf(base).folder, href) : undefined
}

/** Patterns remember every repetition; one of a million segments would be too much for them. */
const longest = 2000
const slash = 47
const hash = 35

const behind = (start: string | undefined, href: string) => (start === undefined ? undefined : start + href)

// A segment that begins with a dot, perhaps encoded, may be "." or "..", which lead elsewhere.
const segments = '(?:/(?:[\\w~!$&()*+,;=:@-][\\w~!$&()*+,;=:@.%-]*)?)'
const rest = '(?:[?#][\\w.~!$&()*+,;=:@%/?#-]*)?$'
// No digits, and no letters of other scripts, because hosts have special rules for them.
const host = '(?:(?!xn--)[a-z0-9-]+\\.)+(?!xn--)[a-z][a-z0-9-]*'

const plainUrl = new RegExp(`^https?://${host}${segments}+${rest}`)
const plainPath = new RegExp(`^(?!//)${segments}+${rest}`)
const plainName = new RegExp(`^[A-Za-z0-9][\\w~!$&()*+,;=@.%-]*${segments}*${rest}`)
const plainFragment = /^#[\w.~!$&()*+,;=:@%/?#-]*$/

/** The beginnings that relative addresses take from a base. */
interface BaseParts {
  base: string
  /** Up to the path, up to its last slash, and up to the fragment. */
  site: string | undefined
  folder: string | undefined
  page: string | undefined
}

let lastParts: BaseParts = { base: '', site: undefined, folder: undefined, page: undefined }

/** Pages are read one after the other, so the last base is the only one worth keeping. */
function partsOf(base: string): BaseParts {
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
