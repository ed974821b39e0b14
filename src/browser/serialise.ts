import type { CDPSession, Frame, Page } from 'playwright-core'
import { iframeMarkerHtml } from '../content/iframe-marker.ts'
import { AppError } from '../platform/errors.ts'
import {
  callInIsolatedWorld,
  evaluateInIsolatedWorld,
  isolatedWorld,
  pageScript,
  tabSession,
} from './page-script.ts'

/** The limit for fetched pages, in characters instead of bytes. */
const maxTextLength = 64 * 1024 * 1024

/** The value of `hidden` on elements that the ad blocker or the consent handling has hidden. */
export const blockedMark = 'blocked'

export interface Serialising {
  most?: number
  /** Blocked ad URLs: elements that would show them are left out. */
  blockedUrls?: string[]
}

/**
 * The document as a person sees it: shadow roots and frames are inlined, as far as they can be read, and blocked
 * elements are removed. A document that is too large is rejected in the page itself, before it is transferred.
 */
export async function serialise(
  page: Page,
  { most = maxTextLength, blockedUrls = [] }: Serialising = {},
): Promise<string> {
  const html = await evaluateInIsolatedWorld(page, flatHtml, {
    most,
    blockedUrls,
    blockedMark,
    frameMark: iframeMarkerHtml,
  })
  if (html !== null) return html
  const message = `The page has more than ${most} characters, the limit of this service (MAX_HTML_MB).`
  throw new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'browser', bound: 'MAX_HTML_MB', most }, { message })
}

interface FlatOrder {
  most: number
  blockedUrls: string[]
  blockedMark: string
  frameMark: string
  /** Only the body, with absolute URLs: for a document that becomes part of another. */
  isPart?: boolean
}

interface Flattening {
  order: FlatOrder
  blocked: Set<string>
  /** Texts of frames that are not readable from here; other code stores them here. */
  framedTexts: WeakMap<Element, string> | undefined
  parts: string[]
  length: number
}

interface WriteState {
  depth: number
  /** Base of relative URLs; without it they stay unchanged. */
  base: string | undefined
}

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
const addresses = new Set(['href', 'src', 'poster', 'action', 'data-src'])

/** Runs in the page. Returns null if the text would be longer. */
export const flatHtml = pageScript(
  flatten,
  { write, writeFrame, add, attributes, frameDocument, isBlocked, inside, escapeText, escapeValue },
  { voids, raw, addresses },
)

function flatten(order: FlatOrder): string | null {
  // A symbol, because a plain name could resolve to an element with that id.
  const world = globalThis as { [name: symbol]: WeakMap<Element, string> }
  const framedTexts = world[Symbol.for('framedTexts')]
  const flat = { order, blocked: new Set(order.blockedUrls), framedTexts, parts: [], length: 0 }
  if (order.isPart) {
    const place = { depth: 0, base: document.baseURI }
    for (const child of document.body?.childNodes ?? []) write(flat, child, place)
  } else {
    if (document.doctype) add(flat, `<!DOCTYPE ${document.doctype.name}>`)
    if (document.documentElement) write(flat, document.documentElement, { depth: 0, base: undefined })
  }
  return flat.length > order.most ? null : flat.parts.join('')
}

function write(flat: Flattening, node: Node, { depth, base }: WriteState): void {
  if (depth > 2000 || flat.length > flat.order.most) return
  if (node.nodeType === Node.TEXT_NODE) {
    const parent = node.parentNode as Element | null
    const text = node.nodeValue ?? ''
    add(flat, parent && raw.has(parent.localName) ? text : escapeText(text))
    return
  }
  if (node.nodeType !== Node.ELEMENT_NODE || isBlocked(flat, node as Element)) return
  const element = node as Element
  const name = element.localName
  add(flat, `<${name}${attributes(element, base)}>`)
  if (voids.has(name)) return
  if ((name === 'iframe' || name === 'frame') && writeFrame(flat, element, depth)) return
  const place = { depth: depth + 1, base }
  for (const child of inside(element)) write(flat, child, place)
  add(flat, `</${name}>`)
}

/** A frame element cannot contain markup, so its content follows in a separate element. */
function writeFrame(flat: Flattening, element: Element, depth: number): boolean {
  const framed = frameDocument(element)?.body
  const text = framed ? undefined : flat.framedTexts?.get(element)
  if (!framed && text === undefined) return false
  add(flat, `</${element.localName}><div${flat.order.frameMark}>`)
  if (framed) {
    const place = { depth: depth + 1, base: framed.baseURI }
    for (const child of framed.childNodes) write(flat, child, place)
  } else add(flat, text ?? '')
  add(flat, '</div>')
  return true
}

function add(flat: Flattening, part: string): void {
  flat.length += part.length
  if (flat.length <= flat.order.most) flat.parts.push(part)
}

function attributes(element: Element, base: string | undefined): string {
  const written = ({ name, value }: Attr) =>
    base !== undefined && addresses.has(name) ? (URL.parse(value, base)?.href ?? value) : value
  return [...element.attributes]
    .map((attribute) => ` ${attribute.name}="${escapeValue(written(attribute))}"`)
    .join('')
}

function frameDocument(element: Element): Document | null {
  try {
    return (element as HTMLIFrameElement).contentDocument
  } catch {
    return null
  }
}

function isBlocked({ order, blocked }: Flattening, element: Element): boolean {
  if (element.getAttribute('hidden') === order.blockedMark) return true
  return blocked.size > 0 && element.hasAttribute('src') && blocked.has((element as HTMLImageElement).src)
}

/** The content of an element: its shadow root with filled slots, the body of a frame, or its own children. */
function inside(element: Element): Iterable<Node> {
  if (element.shadowRoot) return element.shadowRoot.childNodes
  if (element.localName === 'slot') {
    const assigned = (element as HTMLSlotElement).assignedNodes()
    if (assigned.length > 0) return assigned
  }
  if (element.localName === 'template') return (element as HTMLTemplateElement).content.childNodes
  return element.childNodes
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeValue(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

/** Maximum number of frames read per page; further ones stay links. */
const maxFrames = 20

/**
 * Reads the cross-origin frames of a page, and stores their text where the serialiser finds it. A frame
 * that cannot be read stays a link.
 */
export async function readCrossOriginFrames(tab: Page, most: number): Promise<void> {
  const own = tab.frames().filter((frame) => frame.parentFrame() === tab.mainFrame())
  const foreign = own.filter((frame) => frame.url().startsWith('http') && isForeign(frame))
  for (const frame of foreign.slice(0, maxFrames)) {
    await readOne(tab, frame, most).catch(() => undefined)
  }
}

function isForeign(frame: Frame): boolean {
  return URL.parse(frame.url())?.origin !== URL.parse(frame.page().url())?.origin
}

async function readOne(tab: Page, frame: Frame, most: number): Promise<void> {
  const { session, frameId } = await tabSession(tab)
  const found = await sessionOf(tab, frame)
  if (!found) return
  const order: FlatOrder = { most, blockedUrls: [], blockedMark, frameMark: iframeMarkerHtml, isPart: true }
  const { result } = await callInIsolatedWorld(found, flatHtml.source, order)
  const text: unknown = result.value
  if (typeof text !== 'string') return
  await session.send('DOM.enable')
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: found.frameId })
  const executionContextId = await isolatedWorld({ session, frameId })
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId })
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(keep),
    objectId: object.objectId ?? '',
    arguments: [{ value: text }],
  })
}

/** A frame of another site has its own process and therefore its own session; a frame of the same site uses that of the tab. */
async function sessionOf(
  tab: Page,
  frame: Frame,
): Promise<{ session: CDPSession; frameId: string } | undefined> {
  const apart = await tab
    .context()
    .newCDPSession(frame)
    .catch(() => undefined)
  if (apart) {
    const { targetInfo } = await apart.send('Target.getTargetInfo')
    return { session: apart, frameId: targetInfo.targetId }
  }
  const { session } = await tabSession(tab)
  const { frameTree } = await session.send('Page.getFrameTree')
  const url = frame.url().replace(/#.*/, '')
  const id = frameTree.childFrames?.find((child) => child.frame.url === url)?.frame.id
  return id === undefined ? undefined : { session, frameId: id }
}

/** Runs in the page, on the element of a frame. */
function keep(this: Element, text: string): void {
  const world = globalThis as { [name: symbol]: WeakMap<Element, string> }
  const name = Symbol.for('framedTexts')
  world[name] ??= new WeakMap()
  world[name].set(this, text)
}
