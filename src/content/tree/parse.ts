import { attributeTable, findName, listedTags, tag, tagTable } from './names.ts'
import {
  closeCurrent,
  closeTo,
  createOpenElements,
  isForeignContent,
  type OpenElements,
} from './open-elements.ts'
import { addText, endTag, startTag } from './repair.ts'
import { escapableElements, ignoresFirstLineBreak, rawTextElements } from './rules.ts'
import { endsName, endTagOf, isLetter, isSpace, type Source, search } from './source.ts'
import type { Tree } from './tree.ts'
import {
  addAttribute,
  createTreeWriter,
  getOtherTagId,
  type TreeLimits,
  type TreeWriter,
} from './tree-writer.ts'

/** In XHTML every tag may be self-closing; in HTML a slash at the end of a tag has no meaning. */
type TreeOptions = TreeLimits & { isXhtml: boolean }

/** Default limits. Browsers use the same maximum depth, which is deep enough for real pages. */
const defaultOptions: TreeOptions = { maxDepth: 512, maxNodes: 1_000_000, isXhtml: false }

export function parseHtml(html: string, options: Partial<TreeOptions> = {}): Tree {
  const cleanHtml = /[\r\0]/.test(html) ? html.replace(/\r\n?/g, '\n').replaceAll('\0', '') : html
  const { isXhtml, ...limits } = { ...defaultOptions, ...options }
  const writer = createTreeWriter(cleanHtml, limits)
  readTokens(writer, isXhtml)
  return writer.tree
}

/** Native string searches are several times as fast as a loop over characters; a failed one ends the page. */
function readTokens(writer: TreeWriter, isXhtml: boolean): void {
  const { html } = writer.tree
  const open = createOpenElements(writer)
  const source = { html, end: html.length, unclosed: new Set<number>(), commentEnd: -1 }
  readPart({ open, source, isXhtml, isSelfClosing: false }, 0)
  closeTo(open, 0)
  writer.tree.ends[0] = writer.tree.count
}

interface Reader {
  open: OpenElements
  source: Source
  isXhtml: boolean
  isSelfClosing: boolean
}

function readPart(reader: Reader, start: number): void {
  const { open, source } = reader
  const { html, end } = source
  const { tree } = open.writer
  let at = start
  let textStart = start
  while (at < end && !tree.isTruncated) {
    const tagStart = search(source, '<', at)
    if (tagStart === -1) break
    const kind = html.charCodeAt(tagStart + 1)
    if (isLetter(kind)) {
      flushText(open, textStart, tagStart)
      at = readStartTag(reader, tagStart + 1)
    } else if (kind === slash && isLetter(html.charCodeAt(tagStart + 2))) {
      flushText(open, textStart, tagStart)
      at = readEndTag(reader, tagStart + 2)
    } else if (kind === exclamation || kind === question || (kind === slash && tagStart + 2 < end)) {
      flushText(open, textStart, tagStart)
      at = readDeclaration(reader, tagStart)
    } else {
      at = tagStart + 1
      continue
    }
    textStart = at
  }
  if (textStart < end && !tree.isTruncated) flushText(open, textStart, end)
}

const slash = 47
const exclamation = 33
const question = 63
const greater = 62
const equals = 61
const doubleQuote = 34
const singleQuote = 39
const lineBreak = 10

function flushText(open: OpenElements, start: number, stop: number): void {
  if (start < stop) addText(open, start, stop, false)
}

function readStartTag(reader: Reader, start: number): number {
  const { open, source } = reader
  const { writer } = open
  const { html, end } = source
  const nameStop = findNameEnd(source, start)
  const name = getTagId(writer, start, nameStop)
  const firstAttribute = writer.attributeCount
  const stop = readAttributes(reader, nameStop)
  if (stop > end) return skipUnclosed(reader, start, 'a tag')
  const opened = startTag(open, name, firstAttribute)
  if (opened === 'nothing') return stop
  if (reader.isSelfClosing && (reader.isXhtml || opened === 'foreign')) {
    closeCurrent(open)
    return stop
  }
  if (opened === 'foreign') return stop
  if (name === tag.plaintext) {
    if (stop < end) addText(open, stop, end, true)
    return end
  }
  if (rawTextElements[name] === 1) return readRawText(reader, name, stop)
  if (name === tag.noscript) return readNoscript(reader, stop)
  return ignoresFirstLineBreak[name] === 1 && html.charCodeAt(stop) === lineBreak ? stop + 1 : stop
}

/** Browsers that run scripts treat it as text up to its end tag, so nothing inside has an effect outside. */
function readNoscript(reader: Reader, start: number): number {
  const { open, source } = reader
  const isInside = open.minDepth > 0
  const end = isInside ? -1 : endTagOf(source, tag.noscript, start)
  if (end === -1) return start
  const depth = open.depth
  open.minDepth = depth
  readPart({ ...reader, source: { ...source, end, unclosed: new Set(), commentEnd: -1 } }, start)
  open.minDepth = 0
  closeTo(open, depth)
  return end
}

function skipUnclosed({ open, source }: Reader, start: number, construct: string): number {
  const { tree } = open.writer
  const isAtEnd = source.end === source.html.length
  if (isAtEnd && source.html.indexOf('<', start) !== -1) tree.unclosedConstruct = construct
  return source.end
}

function findNameEnd({ html, end }: Source, start: number): number {
  let at = start
  while (at < end && !endsName(html.charCodeAt(at))) at += 1
  return at
}

function getTagId(writer: TreeWriter, start: number, stop: number): number {
  const { html } = writer.tree
  const listed = findName(tagTable, html, start, stop)
  return listed !== 0 ? listed : getOtherTagId(writer, html.slice(start, stop).toLowerCase())
}

function readAttributes(reader: Reader, start: number): number {
  const { html, end } = reader.source
  let at = start
  let valueEnd = start
  while (at < end) {
    const code = html.charCodeAt(at)
    if (code === greater) {
      // A slash at the end of an unquoted value is part of the value.
      reader.isSelfClosing = at > valueEnd && html.charCodeAt(at - 1) === slash
      return at + 1
    }
    if (code === slash || isSpace(code)) at += 1
    else {
      at = readAttribute(reader, at)
      valueEnd = at
    }
  }
  return end + 1
}

function readAttribute({ open: { writer }, source }: Reader, start: number): number {
  const { html, end: length } = source
  // By the HTML standard, an "=" here is part of the name.
  let nameStop = start + 1
  while (nameStop < length) {
    const code = html.charCodeAt(nameStop)
    if (code === equals || endsName(code)) break
    nameStop += 1
  }
  const name = findName(attributeTable, html, start, nameStop)
  let at = skipSpaces(html, nameStop)
  if (html.charCodeAt(at) !== equals) {
    addAttribute(writer, name, start, nameStop, nameStop, nameStop)
    return nameStop
  }
  at = skipSpaces(html, at + 1)
  const quote = html.charCodeAt(at)
  if (quote === doubleQuote || quote === singleQuote) {
    const end = search(source, quote === doubleQuote ? '"' : "'", at + 1)
    if (end === -1) return length
    addAttribute(writer, name, start, nameStop, at + 1, end)
    return end + 1
  }
  const end = findUnquotedEnd(source, at)
  addAttribute(writer, name, start, nameStop, at, end)
  return end
}

function skipSpaces(html: string, start: number): number {
  let at = start
  while (isSpace(html.charCodeAt(at))) at += 1
  return at
}

function findUnquotedEnd({ html, end }: Source, start: number): number {
  let at = start
  for (; at < end; at += 1) {
    const code = html.charCodeAt(at)
    if (code === greater || isSpace(code)) return at
  }
  return at
}

function readEndTag(reader: Reader, start: number): number {
  const { open, source } = reader
  const { writer } = open
  const nameStop = findNameEnd(source, start)
  const { attributeCount } = writer
  const stop = readAttributes(reader, nameStop)
  writer.attributeCount = attributeCount
  if (stop > source.end) return skipUnclosed(reader, start, 'a tag')
  endTag(open, getTagId(writer, start, nameStop), attributeCount)
  return stop
}

function readRawText(reader: Reader, name: number, start: number): number {
  const { open, source } = reader
  const from =
    ignoresFirstLineBreak[name] === 1 && source.html.charCodeAt(start) === lineBreak ? start + 1 : start
  const endTagOffset = endTagOf(source, name, from)
  if (endTagOffset === -1 && reader.isSelfClosing) {
    // A browser ignores the slash, and then shows nothing of the rest of the page.
    closeCurrent(open)
    return start
  }
  const end = endTagOffset === -1 ? skipUnclosed(reader, from, `<${listedTags[name]}>`) : endTagOffset
  if (from < end) addText(open, from, end, escapableElements[name] !== 1)
  return end
}

function readDeclaration(reader: Reader, start: number): number {
  const { open, source } = reader
  const { html } = source
  if (html.startsWith('<!--', start)) {
    const end = findCommentEnd(source, start)
    return end === -1 ? skipUnclosed(reader, start + 1, 'a comment') : end
  }
  if (html.startsWith('<![CDATA[', start) && isForeignContent(open)) {
    const end = search(source, ']]>', start + 9)
    const stop = end === -1 ? source.end : end
    if (start + 9 < stop) addText(open, start + 9, stop, true)
    return end === -1 ? source.end : end + 3
  }
  const end = search(source, '>', start + 2)
  return end === -1 ? source.end : end + 1
}

function findCommentEnd(source: Source, start: number): number {
  const { html } = source
  if (html.startsWith('>', start + 4)) return start + 5
  if (html.startsWith('->', start + 4)) return start + 6
  for (let at = search(source, '--', start + 4); at !== -1; at = search(source, '--', at + 1)) {
    if (html.charCodeAt(at + 2) === greater) return at + 3
    if (html.charCodeAt(at + 2) === exclamation && html.charCodeAt(at + 3) === greater) return at + 4
  }
  return -1
}
