import { loadingWords, placeholderNames } from '../content/loading-words.ts'

export interface ShownContent {
  /** How much there is to read, menus and placeholders left out; counted up to a bound. */
  text: number
  /** Fields, buttons and pictures. */
  things: number
  /** Placeholders for content that is still loading. */
  hasSkeletons: boolean
  /** A spinner or a loading text is visible. */
  isLoading: boolean
}

interface Reading {
  shown: ShownContent
  /** Visited nodes. */
  nodes: number
  placeholders: Set<Element>
  /** Observes changes inside a root from now on. */
  follow(root: Node): void
}

/** The amount of text at which a page is not an empty shell; more is not counted. */
const enoughText = 400
const mostNodes = 30_000
const mostMarks = 200
export const code = new Set('script style link meta title template noscript base head'.split(' '))
const around = 'nav,aside,body>header,body>footer,[role=navigation],[role=banner],[role=contentinfo]'
const things = 'input:not([type=hidden]),select,textarea,button,img,video,audio,canvas,object,embed'
const marks =
  '[aria-busy=true],[role=progressbar],[class*=skeleton i],[class*=shimmer i],[class*=spinner i],[class*=load i],[id*=load i],[id*=spinner i]'
const skeleton = /skeleton|shimmer/i
const placeholder = new RegExp(placeholderNames, 'i')
const notice = new RegExp(`^[^\\p{L}]{0,3}(?:${loadingWords})`, 'iu')

export const shownParts = {
  ...{ readShown, readPlaceholders, readIn, isLeftOut, count, hasNotice, isNotice, isElement, framedIn },
  ...{ enoughText, mostNodes, mostMarks, code, around, things, marks, skeleton, placeholder, notice },
}

/** What a document shows. Runs in the page. */
export function readShown(follow: (root: Node) => void): ShownContent {
  const shown = { text: 0, things: 0, hasSkeletons: false, isLoading: false }
  const reading = { shown, nodes: 0, placeholders: new Set<Element>(), follow }
  readPlaceholders(reading)
  if (document.body) readIn(document.body, reading)
  if (reading.nodes > mostNodes) shown.text = enoughText
  // A page with enough text is not read to its end, where a loading notice may be.
  shown.isLoading ||= hasNotice()
  return shown
}

function readPlaceholders({ shown, placeholders }: Reading): void {
  for (const element of [...document.querySelectorAll(marks)].slice(0, mostMarks)) {
    const names = `${element.getAttribute('class') ?? ''} ${element.id}`
    const isBusy = element.matches('[aria-busy=true],[role=progressbar]')
    if (!isBusy && !placeholder.test(names)) continue
    if (element.matches('html,body') || !element.checkVisibility()) continue
    placeholders.add(element)
    if (skeleton.test(names) || element.matches('[aria-busy=true]')) shown.hasSkeletons = true
    else shown.isLoading = true
  }
}

function readIn(root: Node, reading: Reading): void {
  const { shown, follow } = reading
  follow(root)
  const accept = (node: Node) =>
    isElement(node) && isLeftOut(node, reading) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    reading.nodes += 1
    if (shown.text >= enoughText || reading.nodes > mostNodes) return
    if (!isElement(node)) {
      count(node.nodeValue ?? '', shown)
      continue
    }
    if (node.matches(things)) shown.things += 1
    if (node.shadowRoot) readIn(node.shadowRoot, reading)
    const framed = framedIn(node)
    if (framed) readIn(framed, reading)
  }
}

function isLeftOut(element: Element, { placeholders }: Reading): boolean {
  if (code.has(element.localName) || placeholders.has(element) || element.matches(around)) return true
  return !element.checkVisibility()
}

function count(text: string, shown: ShownContent): void {
  if (isNotice(text)) shown.isLoading = true
  else shown.text += text.trim().length
}

function hasNotice(): boolean {
  if (!document.body) return false
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let left = mostNodes; left > 0; left -= 1) {
    const node = walker.nextNode()
    if (!node) return false
    const parent = node.parentElement
    if (!isNotice(node.nodeValue ?? '') || !parent || parent.closest(around)) continue
    if (!code.has(parent.localName) && parent.checkVisibility()) return true
  }
  return false
}

function isNotice(text: string): boolean {
  if (text.length > 500) return false
  const trimmed = text.trim()
  return trimmed.length > 0 && trimmed.length <= 120 && notice.test(trimmed)
}

/** Elements of frames belong to another window, so `instanceof` fails. */
export function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

function framedIn(element: Element): Node | null {
  if (element.localName !== 'iframe' && element.localName !== 'frame') return null
  try {
    return (element as HTMLIFrameElement).contentDocument?.body ?? null
  } catch {
    return null
  }
}
