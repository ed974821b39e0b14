import { once } from '../platform/functions.ts'
import { jsonFile } from '../platform/json/json.ts'
import { isConsentDialog } from './consent-dialog.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  isDialog,
  type Node,
  root,
  type Tree,
  tagOf,
  textAt,
} from './tree/tree.ts'

/**
 * Ads and cookie dialogs of a page, by their names, their hosts, or their words: 1 for each node that goes with all below
 * it. Nothing goes where nothing would be left.
 */
export function blockedParts(tree: Tree, url: string): Uint8Array {
  const marks = new Uint8Array(tree.count)
  const search: Search = { tree, host: hostOf(url), sums: undefined, seen: new Map(), dialogs: maxDialogs }
  let isAny = false
  let left = 0
  for (let node: Node = root + 1; node < tree.count; ) {
    const isBlocked = tagOf(tree, node) !== 0 && isBlockedPart(search, node)
    if (isBlocked) {
      marks[node] = 1
      isAny = true
    } else if (tagOf(tree, node) === 0 && left < minLeft) left += textAt(tree, node).trim().length
    node = isBlocked || unread[tagOf(tree, node)] === 1 ? endOf(tree, node) : node + 1
  }
  return isAny && left < minLeft ? new Uint8Array(tree.count) : marks
}

/** The amount of other text that a page must have. */
const minLeft = 40
const unread = tagSet('head script style noscript template title')
/** The whole of a page, or what it is about. */
const never = tagSet('html body main article h1')

interface Search {
  tree: Tree
  host: string
  /** Made when they are first needed: few pages have anything that is called like an ad. */
  sums: Sums | undefined
  /** What was found about the classes of other elements. */
  seen: Map<string, Kind>
  /** Boxes in front of the page whose words may still be read. */
  dialogs: number
}

/** More nested boxes than any real overlay has. */
const maxDialogs = 50

function isBlockedPart(search: Search, node: Node): boolean {
  const { tree, host } = search
  const id = tagOf(tree, node)
  if (never[id] === 1 || unread[id] === 1) return false
  if (id === tag.iframe || id === tag.img || id === tag.embed) {
    if (isOfAdHost(attribute(tree, node, attr.src), host)) return true
  }
  const kind = Math.max(kindOfId(search, node), kindOfClass(search, node))
  if (kind === consent) return holdsNoContent(search, node, Infinity)
  if (kind === likely) return holdsNoContent(search, node, maxTextLength)
  if (search.dialogs === 0 || !isInFront(tree, node)) return false
  search.dialogs -= 1
  return holdsNoContent(search, node, maxTextLength) && isConsentDialog(tree, node, true)
}

/** The meaning of a name: none, an ad or possibly a dialog, or certainly a dialog. */
type Kind = number
const nothing: Kind = 0
const likely: Kind = 1
const consent: Kind = 2

function kindOfId({ tree }: Search, node: Node): Kind {
  const id = attribute(tree, node, attr.id)?.trim()
  if (id === undefined || id.length > longestName) return nothing
  const isOne = ({ idPrefixes }: { idPrefixes: string[] }) =>
    idPrefixes.some((prefix) => id.startsWith(prefix))
  const { adPlaces, consentPlaces } = blockedNames()
  if (isOne(consentPlaces)) return consent
  return isOne(adPlaces) ? likely : (known().ids.get(id.toLowerCase()) ?? kindOfWords(id))
}

/** An element with more classes than that has none. */
const maxClasses = 40

/** Pages say the same of many elements, so an answer is remembered. */
const maxCached = 10_000

function kindOfClass({ tree, seen }: Search, node: Node): Kind {
  const value = classOf(tree, node)
  if (value === undefined) return nothing
  const seenKind = seen.get(value)
  if (seenKind !== undefined) return seenKind
  let kind = nothing
  for (const name of value.split(/\s+/, maxClasses)) {
    kind = Math.max(kind, known().classes.get(name.toLowerCase()) ?? kindOfWords(name))
  }
  if (seen.size < maxCached) seen.set(value, kind)
  return kind
}

const kinds = (ads: string[], dialogs: string[]) =>
  new Map([
    ...ads.map((name): [string, Kind] => [name.toLowerCase(), likely]),
    ...dialogs.map((name): [string, Kind] => [name.toLowerCase(), consent]),
  ])
const known = once(() => {
  const { adPlaces, consentPlaces, likelyConsent } = blockedNames()
  return {
    ids: kinds(adPlaces.ids, consentPlaces.ids),
    classes: kinds(adPlaces.classes, consentPlaces.classes),
    words: new Set(likelyConsent.map(withoutJoints)),
  }
})
const wordsHint = /cookie|consent|gdpr|privacy/i

function kindOfWords(name: string): Kind {
  return name.length <= longestName && wordsHint.test(name) && known().words.has(withoutJoints(name))
    ? likely
    : nothing
}

const longestName = 60

function withoutJoints(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

function isOfAdHost(source: string | undefined, own: string): boolean {
  const host = source === undefined ? '' : hostOf(source)
  return host !== '' && blockedNames().adHosts.some((ad) => isUnder(host, ad) && !isUnder(own, ad))
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

function hostOf(url: string): string {
  return URL.parse(url.startsWith('//') ? `https:${url}` : url)?.hostname ?? ''
}

/** Dialogs with a list of all their partners are longer, but those are known by their names. */
const maxTextLength = 3000
const maxNodes = 2000
const content = tagSet('main article h1')

/** Up to each node: how much text came before it, and where the next of what a page is about begins. */
interface Sums {
  text: Float64Array
  content: Int32Array
}

/** Counted once for all: names may be nested as deeply as a page likes. */
function sumsOf(tree: Tree): Sums {
  const text = new Float64Array(tree.count + 1)
  const next = new Int32Array(tree.count + 1).fill(tree.count)
  for (let node = 0; node < tree.count; node += 1) {
    const length = node > root && tagOf(tree, node) === 0 ? textAt(tree, node).trim().length : 0
    text[node + 1] = (text[node] ?? 0) + length
  }
  for (let node = tree.count - 1; node >= 0; node -= 1) {
    next[node] = content[tagOf(tree, node)] === 1 ? node : (next[node + 1] ?? tree.count)
  }
  return { text, content: next }
}

function holdsNoContent(search: Search, node: Node, most: number): boolean {
  const end = endOf(search.tree, node)
  if (most !== Infinity && end - node > maxNodes) return false
  search.sums ??= sumsOf(search.tree)
  const { text, content } = search.sums
  return (content[node + 1] ?? end) >= end && (text[end] ?? 0) - (text[node] ?? 0) <= most
}

function isInFront(tree: Tree, node: Node): boolean {
  return (
    isDialog(tree, node) || /position\s*:\s*(?:fixed|sticky)/i.test(attribute(tree, node, attr.style) ?? '')
  )
}

interface Places {
  classes: string[]
  ids: string[]
  idPrefixes: string[]
}

export interface BlockedNames {
  /** Names of places for ads. The ad blocker of the browser takes its rules for such places from here too. */
  adPlaces: Places
  /** Hosts whose frames and pictures are ads on every site but their own. */
  adHosts: string[]
  /** Names that consent managers give to the dialogs they add to a page. */
  consentPlaces: Places
  /** Names that sites give to their own dialogs; a dash matches any separator. */
  likelyConsent: string[]
}

export const blockedNames = jsonFile<BlockedNames>(new URL('./blocked-names.json', import.meta.url))
