/** What a scan meets, in document order. */
export interface ScanHandler {
  startTag(name: string, attributes: string): void
  endTag(name: string): void
  text(text: string): void
  /** An element whose inside is not markup, or is not shown. */
  rawElement(name: string, attributes: string, inside: string): void
  /** Ends the scan early. */
  isDone(): boolean
}

/**
 * Walks HTML without building a tree, many times faster than parsing it. Wrong nesting is the handler's to
 * bear. The time is linear in the page, whatever is left open in it.
 */
export function scanHtml(html: string, handler: ScanHandler): void {
  const finder = closingFinder(html)
  let at = 0
  while (at < html.length && !handler.isDone()) {
    const open = html.indexOf('<', at)
    if (open === -1) {
      handler.text(html.slice(at))
      return
    }
    if (open > at) handler.text(html.slice(at, open))
    at = readMarkup(html, open, { handler, finder })
  }
}

interface Scan {
  handler: ScanHandler
  finder: ClosingFinder
}

/** Reads the tag or comment that starts here; gives the place behind it. */
function readMarkup(html: string, open: number, scan: Scan): number {
  const next = html.charCodeAt(open + 1)
  if (next === exclamation || next === question) return behindDeclaration(html, open, scan.finder)
  const isEnd = next === slash
  const nameStart = isEnd ? open + 2 : open + 1
  if (!isLetter(html.charCodeAt(nameStart))) {
    scan.handler.text('<')
    return open + 1
  }
  const nameEnd = endOfName(html, nameStart)
  const close = endOfTag(html, nameEnd, scan.finder)
  const name = html.slice(nameStart, nameEnd).toLowerCase()
  if (isEnd) {
    scan.handler.endTag(name)
    return close + 1
  }
  const attributes = html.slice(nameEnd, close)
  const isRaw = rawNames.has(name) && !(name === 'template' && attributes.includes('shadowrootmode'))
  const insideEnd = isRaw && !isSelfClosed(name, attributes) ? scan.finder.endTag(name, close + 1) : undefined
  if (insideEnd === undefined) {
    scan.handler.startTag(name, attributes)
    return close + 1
  }
  scan.handler.rawElement(name, attributes, html.slice(close + 1, insideEnd))
  return endOfTag(html, Math.min(insideEnd + 2, html.length), scan.finder) + 1
}

const [exclamation, question, slash, greater, equals, space] = [33, 63, 47, 62, 61, 32]
const [doubleQuote, singleQuote] = [34, 39]

const rawNames = new Set([
  ...['script', 'style', 'noscript', 'title', 'textarea', 'iframe', 'template', 'svg', 'select', 'video'],
  ...['audio', 'canvas', 'object', 'xmp'],
])

const isSelfClosed = (name: string, attributes: string) => name === 'svg' && attributes.endsWith('/')

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

function behindDeclaration(html: string, open: number, finder: ClosingFinder): number {
  const end = html.startsWith('<!--', open) ? finder.find('-->', open + 2) : finder.find('>', open)
  if (end === -1) return html.length
  return end + (html.startsWith('-->', end) ? 3 : 1)
}

function endOfName(html: string, start: number): number {
  let at = start
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code <= space || code === slash || code === greater) break
  }
  return at
}

/** The place of the ">" that ends a tag; one inside a quoted value does not. */
function endOfTag(html: string, start: number, finder: ClosingFinder): number {
  let before = 0
  for (let at = start; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === greater) return at
    if ((code === doubleQuote || code === singleQuote) && before === equals) {
      const end = finder.find(code === doubleQuote ? '"' : "'", at + 1)
      if (end !== -1) at = end
    }
    if (code > space) before = code
  }
  return html.length
}

interface ClosingFinder {
  find(text: string, from: number): number
  /** Where the end tag of a raw element starts; the end of the page for a script that is never closed. */
  endTag(name: string, from: number): number | undefined
}

/** Remembers what does not occur any more, so that hostile pages cannot make each search run to the end. */
function closingFinder(html: string): ClosingFinder {
  const absent = new Set<string>()
  const endTags = new Map<string, RegExp>()
  return {
    find(text, from) {
      if (absent.has(text)) return -1
      const place = html.indexOf(text, from)
      if (place === -1) absent.add(text)
      return place
    },
    endTag(name, from) {
      if (!absent.has(name)) {
        const pattern = endTags.get(name) ?? new RegExp(`</${name}(?=[\\s/>])`, 'gi')
        endTags.set(name, pattern)
        pattern.lastIndex = from
        const match = pattern.exec(html)
        if (match) return match.index
        absent.add(name)
      }
      return name === 'script' || name === 'style' ? html.length : undefined
    },
  }
}
