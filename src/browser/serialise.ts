import type { Frame, Page } from 'playwright-core'
import { iframeMarkerHtml } from '../content/iframe-marker.ts'
import { AppError } from '../platform/errors.ts'
import {
  callInIsolatedWorld,
  evaluateInIsolatedWorld,
  ignoreError,
  isolatedWorld,
  pageScript,
  tabSession,
} from './page-script.ts'

const maxTextLength = 64 * 1024 * 1024

export const blockedMark = 'blocked'

export async function serialise(
  page: Page,
  { max = maxTextLength, blockedUrls = [] }: Partial<Pick<FlattenOptions, 'max' | 'blockedUrls'>> = {},
): Promise<string> {
  const html = await evaluateInIsolatedWorld(page, flatHtml, { ...marks, max, blockedUrls })
  if (html !== null) return html
  const message = `The page has more than ${max} characters, the limit of this service (MAX_HTML_MB).`
  const detail = { phase: 'browser', bound: 'MAX_HTML_MB', most: max }
  throw new AppError('SCRAPE_PAGE_TOO_LARGE', detail, { message })
}

const marks = { blockedMark, frameMark: iframeMarkerHtml }

interface FlattenOptions {
  max: number
  /** Elements with these URLs are omitted. */
  blockedUrls: string[]
  blockedMark: string
  frameMark: string
  /** Return only the body with absolute URLs, for a document that becomes part of another. */
  isPart?: boolean
}

interface FlattenContext {
  options: FlattenOptions
  blocked: Set<string>
  framedTexts: WeakMap<Element, string> | undefined
  parts: string[]
  length: number
}

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
const addresses = new Set(['href', 'src', 'poster', 'action', 'data-src'])

/** Runs in the page. Returns null if the text would be longer than `max`. */
export const flatHtml = pageScript(
  flatten,
  { write, writeFrame, add, attributes, frameDocument, isBlocked, inside, escapeText, escapeValue },
  { voids, raw, addresses },
)

function flatten(options: FlattenOptions): string | null {
  // A symbol, because a plain name could resolve to an element with that id.
  const world = globalThis as { [name: symbol]: WeakMap<Element, string> }
  const framedTexts = world[Symbol.for('framedTexts')]
  const flat = { options, blocked: new Set(options.blockedUrls), framedTexts, parts: [], length: 0 }
  if (options.isPart) {
    const state = { depth: 0, base: document.baseURI }
    for (const child of document.body?.childNodes ?? []) write(flat, child, state)
  } else {
    if (document.doctype) add(flat, `<!DOCTYPE ${document.doctype.name}>`)
    if (document.documentElement) write(flat, document.documentElement, { depth: 0, base: undefined })
  }
  return flat.length > options.max ? null : flat.parts.join('')
}

function write(flat: FlattenContext, node: Node, state: { depth: number; base: string | undefined }): void {
  const { depth, base } = state
  if (depth > 2000 || flat.length > flat.options.max) return
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
  const childState = { depth: depth + 1, base }
  for (const child of inside(element)) write(flat, child, childState)
  add(flat, `</${name}>`)
}

/** The content follows in a separate element, because a frame element cannot contain markup. */
function writeFrame(flat: FlattenContext, element: Element, depth: number): boolean {
  const frameBody = frameDocument(element)?.body
  const text = frameBody ? undefined : flat.framedTexts?.get(element)
  if (!frameBody && text === undefined) return false
  add(flat, `</${element.localName}><div${flat.options.frameMark}>`)
  if (frameBody) {
    const state = { depth: depth + 1, base: frameBody.baseURI }
    for (const child of frameBody.childNodes) write(flat, child, state)
  } else add(flat, text ?? '')
  add(flat, '</div>')
  return true
}

function add(flat: FlattenContext, part: string): void {
  flat.length += part.length
  if (flat.length <= flat.options.max) flat.parts.push(part)
}

function attributes(element: Element, base: string | undefined): string {
  const resolveValue = ({ name, value }: Attr) =>
    base !== undefined && addresses.has(name) ? (URL.parse(value, base)?.href ?? value) : value
  return [...element.attributes]
    .map((attribute) => ` ${attribute.name}="${escapeValue(resolveValue(attribute))}"`)
    .join('')
}

function frameDocument(element: Element): Document | null {
  try {
    return (element as HTMLIFrameElement).contentDocument
  } catch {
    return null
  }
}

function isBlocked({ options, blocked }: FlattenContext, element: Element): boolean {
  if (element.getAttribute('hidden') === options.blockedMark) return true
  return blocked.size > 0 && element.hasAttribute('src') && blocked.has((element as HTMLImageElement).src)
}

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

const maxFrames = 20

/** Stores the text of cross-origin frames for the serialiser. A frame that cannot be read stays a link. */
export async function readCrossOriginFrames(tab: Page, maxLength: number): Promise<void> {
  const childFrames = tab.frames().filter((frame) => frame.parentFrame() === tab.mainFrame())
  const webFrames = childFrames.filter((frame) => frame.url().startsWith('http'))
  const crossOriginFrames = webFrames.filter(isCrossOrigin)
  for (const frame of crossOriginFrames.slice(0, maxFrames)) {
    await readFrame(tab, frame, maxLength).catch(() => undefined)
  }
}

function isCrossOrigin(frame: Frame): boolean {
  return URL.parse(frame.url())?.origin !== URL.parse(frame.page().url())?.origin
}

async function readFrame(tab: Page, frame: Frame, maxLength: number): Promise<void> {
  const { session, frameId } = await tabSession(tab)
  const frameSession = await getFrameSession(tab, frame)
  if (!frameSession) return
  const options: FlattenOptions = { ...marks, max: maxLength, blockedUrls: [], isPart: true }
  const { result } = await callInIsolatedWorld(frameSession, flatHtml.source, options)
  const text: unknown = result.value
  if (typeof text !== 'string') return
  await session.send('DOM.enable')
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: frameSession.frameId })
  const executionContextId = await isolatedWorld({ session, frameId })
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId })
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(storeFrameText),
    objectId: object.objectId ?? '',
    arguments: [{ value: text }],
  })
}

/** A frame of another site has its own process and session; one of the same site uses the session of the tab. */
async function getFrameSession(tab: Page, frame: Frame) {
  const context = tab.context()
  const ownSession = await context.newCDPSession(frame).catch(ignoreError)
  if (ownSession) {
    const { targetInfo } = await ownSession.send('Target.getTargetInfo')
    return { session: ownSession, frameId: targetInfo.targetId }
  }
  const { session } = await tabSession(tab)
  const { frameTree } = await session.send('Page.getFrameTree')
  const url = frame.url().replace(/#.*/, '')
  const id = frameTree.childFrames?.find((child) => child.frame.url === url)?.frame.id
  return id === undefined ? undefined : { session, frameId: id }
}

/** Runs in the page, on the element of a frame. */
function storeFrameText(this: Element, text: string): void {
  const world = globalThis as { [name: symbol]: WeakMap<Element, string> }
  const name = Symbol.for('framedTexts')
  world[name] ??= new WeakMap()
  world[name].set(this, text)
}
