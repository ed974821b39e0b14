import type { Page } from 'playwright-core'
import { AppError } from '../base/errors.ts'
import { writtenFrameMark } from '../content/frame-mark.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** As much text as a fetched page may have bytes. */
export const mostText = 64 * 1024 * 1024

/** The value of `hidden` on what the ad blocker or the answer to a cookie dialog took out of sight. */
export const blockedMark = 'blocked'

export interface Serialising {
  most?: number
  /** Addresses that were not loaded because they are ads: what would show them is left out. */
  blockedUrls?: string[]
}

/**
 * The document as a person sees it: shadow roots and frames stand where they are shown, as far as they can be read, and what
 * was blocked is not there. One that is too large is refused in the page itself, before it is on its way.
 */
export async function serialise(
  page: Page,
  { most = mostText, blockedUrls = [] }: Serialising = {},
): Promise<string> {
  const html = await evaluateApart(page, flatHtml, {
    most,
    blockedUrls,
    blockedMark,
    frameMark: writtenFrameMark,
  })
  if (html !== null) return html
  const message = `The page holds more than the ${most} characters that this service reads of one (MAX_HTML_MB).`
  throw new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'browser', bound: 'MAX_HTML_MB', most }, { message })
}

export interface FlatOrder {
  most: number
  blockedUrls: string[]
  blockedMark: string
  frameMark: string
  /** Only what stands in the body, with every address absolute: for a document that becomes a part of another. */
  isPart?: boolean
}

/** Runs in the page. Answers null where the text would be longer. */
export function flatHtml({ most, blockedUrls, blockedMark, frameMark, isPart }: FlatOrder): string | null {
  const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
  const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
  const addresses = new Set(['href', 'src', 'poster', 'action', 'data-src'])
  const blocked = new Set(blockedUrls)
  // Texts of frames that only others can read, put here by them.
  const { framedTexts } = globalThis as { framedTexts?: WeakMap<Element, string> }
  const escapeText = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const escapeValue = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const parts: string[] = []
  let length = 0
  function add(part: string): void {
    length += part.length
    if (length <= most) parts.push(part)
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
  function isBlocked(element: Element): boolean {
    if (element.getAttribute('hidden') === blockedMark) return true
    return blocked.size > 0 && element.hasAttribute('src') && blocked.has((element as HTMLImageElement).src)
  }
  /** What stands inside an element: its shadow with the slots filled, the body of a frame, or its own children. */
  function inside(element: Element): Iterable<Node> {
    if (element.shadowRoot) return element.shadowRoot.childNodes
    if (element.localName === 'slot') {
      const assigned = (element as HTMLSlotElement).assignedNodes()
      if (assigned.length > 0) return assigned
    }
    if (element.localName === 'template') return (element as HTMLTemplateElement).content.childNodes
    return element.childNodes
  }
  function write(node: Node, depth: number, base: string | undefined): void {
    if (depth > 2000 || length > most) return
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentNode as Element | null
      add(parent && raw.has(parent.localName) ? (node.nodeValue ?? '') : escapeText(node.nodeValue ?? ''))
      return
    }
    if (node.nodeType !== Node.ELEMENT_NODE || isBlocked(node as Element)) return
    const element = node as Element
    const name = element.localName
    add(`<${name}${attributes(element, base)}>`)
    if (voids.has(name)) return
    if ((name === 'iframe' || name === 'frame') && writeFrame(element, depth)) return
    for (const child of inside(element)) write(child, depth + 1, base)
    add(`</${name}>`)
  }
  /** A frame's element cannot hold markup, so its content stands after it, in a place of its own. */
  function writeFrame(element: Element, depth: number): boolean {
    const framed = frameDocument(element)?.body
    const text = framed ? undefined : framedTexts?.get(element)
    if (!framed && text === undefined) return false
    add(`</${element.localName}><div${frameMark}>`)
    if (framed) for (const child of framed.childNodes) write(child, depth + 1, framed.baseURI)
    else add(text ?? '')
    add('</div>')
    return true
  }

  if (isPart) for (const child of document.body?.childNodes ?? []) write(child, 0, document.baseURI)
  else {
    if (document.doctype) add(`<!DOCTYPE ${document.doctype.name}>`)
    if (document.documentElement) write(document.documentElement, 0, undefined)
  }
  return length > most ? null : parts.join('')
}
