import { adHosts, adPlaces, consentPlaces, likelyConsent } from './blocked-names.ts'
import { consentWords } from './consent-words.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import { attribute, classOf, endOf, type Node, root, type Tree, tagOf, textAt } from './tree/tree.ts'

/**
 * Ads and cookie dialogs of a page, by their names, their hosts, or their words: 1 for each node that goes with all below
 * it. Nothing goes where nothing would be left.
 */
export function blockedParts(tree: Tree, url: string): Uint8Array {
  const marks = new Uint8Array(tree.count)
  const host = hostOf(url)
  let isAny = false
  let left = 0
  for (let node: Node = root + 1; node < tree.count; ) {
    const isBlocked = tagOf(tree, node) !== 0 && isBlockedPart(tree, node, host)
    if (isBlocked) {
      marks[node] = 1
      isAny = true
    } else if (tagOf(tree, node) === 0 && left < leastLeft) left += textAt(tree, node).trim().length
    node = isBlocked || unread[tagOf(tree, node)] === 1 ? endOf(tree, node) : node + 1
  }
  return isAny && left < leastLeft ? new Uint8Array(tree.count) : marks
}

/** Text that a page must have besides. */
const leastLeft = 40
const unread = tagSet('head script style noscript template title')
/** The whole of a page, or what it is about. */
const never = tagSet('html body main article h1')

function isBlockedPart(tree: Tree, node: Node, host: string): boolean {
  const id = tagOf(tree, node)
  if (never[id] === 1 || unread[id] === 1) return false
  if (id === tag.iframe || id === tag.img || id === tag.embed) {
    if (isOfAdHost(attribute(tree, node, attr.src), host)) return true
  }
  const names = namesOf(tree, node)
  if (names.some((name) => isAmong(consentNames, name))) return holdsNoContent(tree, node, Infinity)
  if (names.some((name) => isAmong(adNames, name) || isLikely(name)))
    return holdsNoContent(tree, node, mostText)
  return isInFront(tree, node, id) && holdsNoContent(tree, node, mostText) && asksForConsent(tree, node)
}

interface Name {
  name: string
  isId: boolean
}

/** An element with more names than that has none. */
const mostNames = 40

function namesOf(tree: Tree, node: Node): Name[] {
  const id = attribute(tree, node, attr.id)?.trim()
  const classes = classOf(tree, node)?.split(/\s+/, mostNames) ?? []
  return [...(id ? [{ name: id, isId: true }] : []), ...classes.map((name) => ({ name, isId: false }))]
}

interface KnownNames {
  classes: Set<string>
  ids: Set<string>
  idPrefixes: string[]
}

const adNames = known(adPlaces)
const consentNames = known(consentPlaces)
const likely = new Set(likelyConsent.map(withoutJoints))

function known(places: { classes: string[]; ids: string[]; idPrefixes: string[] }): KnownNames {
  const { classes, ids, idPrefixes } = places
  const lower = (names: string[]) => new Set(names.map((name) => name.toLowerCase()))
  return { classes: lower(classes), ids: lower(ids), idPrefixes }
}

function isAmong({ classes, ids, idPrefixes }: KnownNames, { name, isId }: Name): boolean {
  if (!isId) return classes.has(name.toLowerCase())
  return ids.has(name.toLowerCase()) || idPrefixes.some((prefix) => name.startsWith(prefix))
}

function isLikely({ name }: Name): boolean {
  return name.length <= longestName && likely.has(withoutJoints(name))
}

const longestName = 60

function withoutJoints(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

function isOfAdHost(source: string | undefined, own: string): boolean {
  const host = source === undefined ? '' : hostOf(source)
  return host !== '' && adHosts.some((ad) => isUnder(host, ad) && !isUnder(own, ad))
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

function hostOf(url: string): string {
  return URL.parse(url.startsWith('//') ? `https:${url}` : url)?.hostname ?? ''
}

/** Dialogs with a list of all their partners are longer, but those are known by their names. */
const mostText = 3000
const mostNodes = 2000
const content = tagSet('main article h1')

function holdsNoContent(tree: Tree, node: Node, most: number): boolean {
  const end = endOf(tree, node)
  if (most !== Infinity && end - node > mostNodes) return false
  let text = 0
  for (let at = node + 1; at < end; at += 1) {
    const id = tagOf(tree, at)
    if (content[id] === 1) return false
    if (id === 0) text += textAt(tree, at).trim().length
    if (text > most) return false
  }
  return true
}

function isInFront(tree: Tree, node: Node, id: number): boolean {
  if (id === tag.dialog) return true
  const role = attribute(tree, node, attr.role)?.trim().toLowerCase()
  if (role === 'dialog' || role === 'alertdialog') return true
  return /position\s*:\s*(?:fixed|sticky)/i.test(attribute(tree, node, attr.style) ?? '')
}

/** Speaks of cookies and what they are for, asks for no text, and has a button that says yes or no. */
function asksForConsent(tree: Tree, node: Node): boolean {
  const end = endOf(tree, node)
  const buttons: string[] = []
  let text = ''
  for (let at = node + 1; at < end; at += 1) {
    const id = tagOf(tree, at)
    if (id === 0) text += `${textAt(tree, at)} `
    if (id === tag.textarea) return false
    if (id === tag.input) {
      const type = attribute(tree, at, attr.type)?.toLowerCase() ?? 'text'
      if (!unwritten.has(type)) return false
      buttons.push(attribute(tree, at, attr.value) ?? '')
    }
    if (id === tag.button || id === tag.a || attribute(tree, at, attr.role) === 'button') {
      buttons.push(textBelow(tree, at))
    }
  }
  const { topics, purposes, rejects, accepts, excludes } = consentWords
  const says = (words: string[], said: string) => words.some((word) => said.toLowerCase().includes(word))
  const isChoice = (label: string) =>
    label.length < 60 && !says(excludes, label) && (says(rejects, label) || says(accepts, label))
  return says(topics, text) && says(purposes, text) && buttons.some(isChoice)
}

const unwritten = new Set(['button', 'submit', 'reset', 'checkbox', 'radio', 'hidden', 'image'])

function textBelow(tree: Tree, node: Node): string {
  let text = ''
  for (let at = node + 1; at < endOf(tree, node); at += 1) if (tagOf(tree, at) === 0) text += textAt(tree, at)
  return text.replace(/\s+/g, ' ').trim()
}
