import { attributeTable, findName, listedTags, tag, tagTable } from './names.ts'
import {
  closeCurrent,
  closeTo,
  createOpenElements,
  isForeignContent,
  type OpenElements,
} from './open-elements.ts'
import { addText, endTag, startTag } from './repair.ts'
import { eatsFirstBreak, escapableElements, rawTextElements } from './rules.ts'
import { endsName, endTagOf, isLetter, isSpace, type Source, search } from './source.ts'
import type { Tree } from './tree.ts'
import { addAttribute, createTreeWriter, otherTag, type TreeLimits, type TreeWriter } from './tree-writer.ts'

interface TreeOptions extends TreeLimits {
  /** In XHTML every tag may close itself; in HTML a slash at its end means nothing. */
  isXhtml: boolean
}

/** Deep enough for any page made for people; browsers stop at the same depth. */
const usualOptions: TreeOptions = { maxDepth: 512, maxNodes: 1_000_000, isXhtml: false }

/** HTML as a tree, without comments. */
export function parseHtml(html: string, options: Partial<TreeOptions> = {}): Tree {
  const clean = /[\r\0]/.test(html) ? html.replace(/\r\n?/g, '\n').replaceAll('\0', '') : html
  const { isXhtml, ...limits } = { ...usualOptions, ...options }
  const writer = createTreeWriter(clean, limits)
  readTokens(writer, isXhtml)
  return writer.tree
}

/**
 * Reads the page from tag to tag. The searches for "<", for quotes and for the end of a comment are the
 * engine's own, which is several times as fast as looking at each character here; a search that finds nothing
 * ends the page, so none is repeated.
 */
function readTokens(writer: TreeWriter, isXhtml: boolean): void {
  const { html } = writer.tree
  const open = createOpenElements(writer)
  const source = { html, end: html.length, unended: new Set<number>(), commentEnd: -1 }
  readPart({ open, source, isXhtml, closesItself: false }, 0)
  closeTo(open, 0)
  writer.tree.ends[0] = writer.tree.count
}

interface Reader {
  open: OpenElements
  source: Source
  isXhtml: boolean
  /** The tag that was read last ends with a slash. */
  closesItself: boolean
}

function readPart(reader: Reader, start: number): void {
  const { open, source } = reader
  const { html, end } = source
  const { tree } = open.writer
  let at = start
  let textFrom = start
  while (at < end && !tree.isCut) {
    const mark = search(source, '<', at)
    if (mark === -1) break
    const kind = html.charCodeAt(mark + 1)
    if (isLetter(kind)) {
      flushText(open, textFrom, mark)
      at = readStartTag(reader, mark + 1)
    } else if (kind === slash && isLetter(html.charCodeAt(mark + 2))) {
      flushText(open, textFrom, mark)
      at = readEndTag(reader, mark + 2)
    } else if (kind === exclamation || kind === question || (kind === slash && mark + 2 < end)) {
      flushText(open, textFrom, mark)
      at = readDeclaration(reader, mark)
    } else {
      // A "<" that begins no tag is text.
      at = mark + 1
      continue
    }
    textFrom = at
  }
  if (textFrom < end && !tree.isCut) flushText(open, textFrom, end)
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

/** The tag whose name begins here; gives where the page goes on. */
function readStartTag(reader: Reader, start: number): number {
  const { open, source } = reader
  const { writer } = open
  const { html, end } = source
  const nameStop = nameEnd(source, start)
  const name = tagId(writer, start, nameStop)
  const firstAttribute = writer.attributeCount
  const stop = readAttributes(reader, nameStop)
  // A tag that the page ends in is not there.
  if (stop > end) return endInside(reader, start, 'a tag')
  const opened = startTag(open, name, firstAttribute)
  if (opened === 'nothing') return stop
  if (reader.closesItself && (reader.isXhtml || opened === 'foreign')) {
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
  return eatsFirstBreak[name] === 1 && html.charCodeAt(stop) === lineBreak ? stop + 1 : stop
}

/**
 * To a browser that runs scripts, what stands in noscript is a text up to its end tag. It is read here as the page it is
 * written for, but nothing in it reaches further than that: neither an element or a comment that is never closed, nor a
 * stray end tag.
 */
function readNoscript(reader: Reader, start: number): number {
  const { open, source } = reader
  const isInside = open.floor > 0
  const end = isInside ? -1 : endTagOf(source, tag.noscript, start)
  if (end === -1) return start
  const place = open.depth
  open.floor = place
  readPart({ ...reader, source: { ...source, end, unended: new Set(), commentEnd: -1 } }, start)
  open.floor = 0
  closeTo(open, place)
  return end
}

/** What the page ends in is not read; where that is more than the rest of a tag, a reader should know. */
function endInside({ open, source }: Reader, start: number, what: string): number {
  const { tree } = open.writer
  const isAtEnd = source.end === source.html.length
  if (isAtEnd && source.html.indexOf('<', start) !== -1) tree.endsInside = what
  return source.end
}

function nameEnd({ html, end }: Source, start: number): number {
  let at = start
  while (at < end && !endsName(html.charCodeAt(at))) at += 1
  return at
}

function tagId(writer: TreeWriter, start: number, stop: number): number {
  const { html } = writer.tree
  const listed = findName(tagTable, html, start, stop)
  return listed !== 0 ? listed : otherTag(writer, html.slice(start, stop).toLowerCase())
}

/** Reads attributes up to the end of the tag; gives the place behind it, past the page if there is no end. */
function readAttributes(reader: Reader, start: number): number {
  const { html, end } = reader.source
  let at = start
  let valueEnd = start
  while (at < end) {
    const code = html.charCodeAt(at)
    if (code === greater) {
      // A slash at the end of a value without quotes is part of that.
      reader.closesItself = at > valueEnd && html.charCodeAt(at - 1) === slash
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
  // An "=" here is part of the name, as strange as that is.
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
    // The slash that closes a tag may follow a name directly.
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
  const end = unquotedEnd(source, at)
  addAttribute(writer, name, start, nameStop, at, end)
  return end
}

function skipSpaces(html: string, start: number): number {
  let at = start
  while (isSpace(html.charCodeAt(at))) at += 1
  return at
}

function unquotedEnd({ html, end }: Source, start: number): number {
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
  const nameStop = nameEnd(source, start)
  // End tags may carry attributes too, which mean nothing.
  const { attributeCount } = writer
  const stop = readAttributes(reader, nameStop)
  writer.attributeCount = attributeCount
  if (stop > source.end) return endInside(reader, start, 'a tag')
  endTag(open, tagId(writer, start, nameStop), attributeCount)
  return stop
}

/** The content of a script, a style or the like, up to its end tag, which is left to be read. */
function readRawText(reader: Reader, name: number, start: number): number {
  const { open, source } = reader
  const from = eatsFirstBreak[name] === 1 && source.html.charCodeAt(start) === lineBreak ? start + 1 : start
  const found = endTagOf(source, name, from)
  if (found === -1 && reader.closesItself) {
    // The slash means nothing to a browser, which would show nothing of the rest of the page.
    closeCurrent(open)
    return start
  }
  const end = found === -1 ? endInside(reader, from, `<${listedTags[name]}>`) : found
  if (from < end) addText(open, from, end, escapableElements[name] !== 1)
  return end
}

/** A comment, a doctype, a processing instruction or a stray "</": none is part of the tree. */
function readDeclaration(reader: Reader, mark: number): number {
  const { open, source } = reader
  const { html } = source
  if (html.startsWith('<!--', mark)) {
    const end = commentEnd(source, mark)
    return end === -1 ? endInside(reader, mark + 1, 'a comment') : end
  }
  if (html.startsWith('<![CDATA[', mark) && isForeignContent(open)) {
    const end = search(source, ']]>', mark + 9)
    const stop = end === -1 ? source.end : end
    if (mark + 9 < stop) addText(open, mark + 9, stop, true)
    return end === -1 ? source.end : end + 3
  }
  const end = search(source, '>', mark + 2)
  return end === -1 ? source.end : end + 1
}

function commentEnd(source: Source, mark: number): number {
  const { html } = source
  if (html.startsWith('>', mark + 4)) return mark + 5
  if (html.startsWith('->', mark + 4)) return mark + 6
  for (let at = search(source, '--', mark + 4); at !== -1; at = search(source, '--', at + 1)) {
    if (html.charCodeAt(at + 2) === greater) return at + 3
    if (html.charCodeAt(at + 2) === exclamation && html.charCodeAt(at + 3) === greater) return at + 4
  }
  return -1
}
