import type { Page } from 'playwright-core'
import { AppError } from '../base/errors.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** As much text as a fetched page may have bytes. */
export const mostText = 64 * 1024 * 1024

/**
 * The document as a person sees it: shadow roots and frames of the same origin stand where they are shown. One that is too
 * large is refused in the page itself, before it is on its way.
 */
export async function serialise(page: Page, most = mostText): Promise<string> {
  const html = await evaluateApart(page, flatHtml, most)
  if (html !== null) return html
  const message = `The page holds more than the ${most} characters that this service reads of one (MAX_HTML_MB).`
  throw new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'browser', bound: 'MAX_HTML_MB', most }, { message })
}

/** Runs in the page. Answers null where the text would be longer. */
function flatHtml(most: number): string | null {
  const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
  const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
  const escapeText = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const escapeValue = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const parts: string[] = []
  let length = 0
  function add(part: string): void {
    length += part.length
    if (length <= most) parts.push(part)
  }

  function attributes(element: Element): string {
    return [...element.attributes].map(({ name, value }) => ` ${name}="${escapeValue(value)}"`).join('')
  }
  function frameDocument(element: Element): Document | null {
    try {
      return (element as HTMLIFrameElement).contentDocument
    } catch {
      return null
    }
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
  function write(node: Node, depth: number): void {
    if (depth > 2000 || length > most) return
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentNode as Element | null
      add(parent && raw.has(parent.localName) ? (node.nodeValue ?? '') : escapeText(node.nodeValue ?? ''))
      return
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return
    const element = node as Element
    const name = element.localName
    add(`<${name}${attributes(element)}>`)
    if (voids.has(name)) return
    const frame = name === 'iframe' || name === 'frame' ? frameDocument(element) : null
    if (frame?.body) {
      // A frame's element cannot hold markup, so its content stands after it, in a place of its own.
      add(`</${name}><div data-winnow-frame="${escapeValue(frame.location.href)}">`)
      for (const child of frame.body.childNodes) write(child, depth + 1)
      add('</div>')
      return
    }
    for (const child of inside(element)) write(child, depth + 1)
    add(`</${name}>`)
  }

  if (document.doctype) add(`<!DOCTYPE ${document.doctype.name}>`)
  if (document.documentElement) write(document.documentElement, 0)
  return length > most ? null : parts.join('')
}
