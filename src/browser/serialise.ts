import type { Page } from 'playwright-core'

/** The document as a person sees it: shadow roots and frames of the same origin stand where they are shown. */
export function serialise(page: Page): Promise<string> {
  return page.evaluate(flatHtml)
}

/** Runs in the page. */
function flatHtml(): string {
  const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
  const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
  const escapeText = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const escapeValue = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const parts: string[] = []

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
    if (depth > 2000) return
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentNode as Element | null
      parts.push(
        parent && raw.has(parent.localName) ? (node.nodeValue ?? '') : escapeText(node.nodeValue ?? ''),
      )
      return
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return
    const element = node as Element
    const name = element.localName
    parts.push(`<${name}${attributes(element)}>`)
    if (voids.has(name)) return
    const frame = name === 'iframe' || name === 'frame' ? frameDocument(element) : null
    if (frame?.body) {
      // A frame's element cannot hold markup, so its content stands after it, in a place of its own.
      parts.push(`</${name}><div data-winnow-frame="${escapeValue(frame.location.href)}">`)
      for (const child of frame.body.childNodes) write(child, depth + 1)
      parts.push('</div>')
      return
    }
    for (const child of inside(element)) write(child, depth + 1)
    parts.push(`</${name}>`)
  }

  if (document.doctype) parts.push(`<!DOCTYPE ${document.doctype.name}>`)
  if (document.documentElement) write(document.documentElement, 0)
  return parts.join('')
}
