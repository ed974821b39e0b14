import { lazy } from '../platform/functions.ts'
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

export function findBlockedParts(tree: Tree, url: string): Uint8Array {
  const marks = new Uint8Array(tree.count)
  const search: Search = {
    tree,
    host: hostOf(url),
    sums: undefined,
    kindsByClass: new Map(),
    dialogs: maxDialogs,
  }
  let hasBlocked = false
  let remainingLength = 0
  for (let node: Node = root + 1; node < tree.count; ) {
    const isBlocked = tagOf(tree, node) !== 0 && isBlockedPart(search, node)
    if (isBlocked) {
      marks[node] = 1
      hasBlocked = true
    } else if (tagOf(tree, node) === 0 && remainingLength < minRemainingLength)
      remainingLength += textAt(tree, node).trim().length
    node = isBlocked || nonTextTags[tagOf(tree, node)] === 1 ? endOf(tree, node) : node + 1
  }
  return hasBlocked && remainingLength < minRemainingLength ? new Uint8Array(tree.count) : marks
}

const minRemainingLength = 40
const nonTextTags = tagSet('head script style noscript template title')
const protectedTags = tagSet('html body main article h1')

interface Search {
  tree: Tree
  host: string
  sums: Sums | undefined
  kindsByClass: Map<string, Kind>
  dialogs: number
}

const maxDialogs = 50

function isBlockedPart(search: Search, node: Node): boolean {
  const { tree, host } = search
  const id = tagOf(tree, node)
  if (protectedTags[id] === 1 || nonTextTags[id] === 1) return false
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

/** Meaning of a name: unrelated, an ad or possibly a dialog, or certainly a consent dialog. */
type Kind = number
const unrelated: Kind = 0
const likely: Kind = 1
const consent: Kind = 2

function kindOfId({ tree }: Search, node: Node): Kind {
  const id = attribute(tree, node, attr.id)?.trim()
  if (id === undefined || id.length > maxNameLength) return unrelated
  const hasPrefix = ({ idPrefixes }: { idPrefixes: string[] }) =>
    idPrefixes.some((prefix) => id.startsWith(prefix))
  const { adContainers, consentContainers } = blockedNames()
  if (hasPrefix(consentContainers)) return consent
  if (hasPrefix(adContainers)) return likely
  return getKnownNames().ids.get(id.toLowerCase()) ?? kindOfConsentName(id)
}

const maxClasses = 40
const maxCached = 10_000

function kindOfClass({ tree, kindsByClass }: Search, node: Node): Kind {
  const value = classOf(tree, node)
  if (value === undefined) return unrelated
  const cachedKind = kindsByClass.get(value)
  if (cachedKind !== undefined) return cachedKind
  let kind = unrelated
  for (const name of value.split(/\s+/, maxClasses)) {
    kind = Math.max(kind, getKnownNames().classes.get(name.toLowerCase()) ?? kindOfConsentName(name))
  }
  if (kindsByClass.size < maxCached) kindsByClass.set(value, kind)
  return kind
}

const kinds = (ads: string[], dialogs: string[]) =>
  new Map([
    ...ads.map((name): [string, Kind] => [name.toLowerCase(), likely]),
    ...dialogs.map((name): [string, Kind] => [name.toLowerCase(), consent]),
  ])
const getKnownNames = lazy(() => {
  const { adContainers, consentContainers, likelyConsent } = blockedNames()
  return {
    ids: kinds(adContainers.ids, consentContainers.ids),
    classes: kinds(adContainers.classes, consentContainers.classes),
    words: new Set(likelyConsent.map(withoutSeparators)),
  }
})
const consentHint = /cookie|consent|gdpr|privacy/i

function kindOfConsentName(name: string): Kind {
  const mayBeConsent = name.length <= maxNameLength && consentHint.test(name)
  return mayBeConsent && getKnownNames().words.has(withoutSeparators(name)) ? likely : unrelated
}

const maxNameLength = 60

const withoutSeparators = (name: string) => name.toLowerCase().replace(/[-_]/g, '')

function isOfAdHost(source: string | undefined, pageHost: string): boolean {
  const host = source === undefined ? '' : hostOf(source)
  return host !== '' && blockedNames().adHosts.some((ad) => isUnder(host, ad) && !isUnder(pageHost, ad))
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

const hostOf = (url: string) => URL.parse(url.startsWith('//') ? `https:${url}` : url)?.hostname ?? ''

/** Limits a part found by a likely name. Dialogs that list all partners are longer, but have known names. */
const maxTextLength = 3000
const maxNodes = 2000
const mainContentTags = tagSet('main article h1')

type Sums = ReturnType<typeof computeSums>

/**
 * Returns the length of the text before each node, and the next main content element. Computed once per
 * page, because elements with matching names can be nested to any depth.
 */
function computeSums(tree: Tree) {
  const text = new Float64Array(tree.count + 1)
  const next = new Int32Array(tree.count + 1).fill(tree.count)
  for (let node = 0; node < tree.count; node += 1) {
    const length = node > root && tagOf(tree, node) === 0 ? textAt(tree, node).trim().length : 0
    text[node + 1] = (text[node] ?? 0) + length
  }
  for (let node = tree.count - 1; node >= 0; node -= 1) {
    next[node] = mainContentTags[tagOf(tree, node)] === 1 ? node : (next[node + 1] ?? tree.count)
  }
  return { text, nextContent: next }
}

function holdsNoContent(search: Search, node: Node, maxLength: number): boolean {
  const end = endOf(search.tree, node)
  if (maxLength !== Infinity && end - node > maxNodes) return false
  search.sums ??= computeSums(search.tree)
  const { text, nextContent } = search.sums
  return (nextContent[node + 1] ?? end) >= end && (text[end] ?? 0) - (text[node] ?? 0) <= maxLength
}

const isInFront = (tree: Tree, node: Node) =>
  isDialog(tree, node) || /position\s*:\s*(?:fixed|sticky)/i.test(attribute(tree, node, attr.style) ?? '')

type NamePatterns = Record<'classes' | 'ids' | 'idPrefixes', string[]>

export interface BlockedNames {
  /** Names of ad containers. The browser's ad blocker builds its rules from them as well. */
  adContainers: NamePatterns
  adHosts: string[]
  consentContainers: NamePatterns
  /** Names that sites give to their own consent dialogs; a hyphen matches any separator. */
  likelyConsent: string[]
}

export const blockedNames = jsonFile<BlockedNames>(new URL('./blocked-names.json', import.meta.url))
