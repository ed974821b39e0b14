import { pageScript } from './page-script.ts'

export interface FlatOrder {
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
