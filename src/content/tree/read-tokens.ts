import { attributeTable, findName, tagTable } from './name-table.ts'
import { tag } from './names.ts'
import { closeCurrent, closeTo, currentTag, isForeign, noneOpen, type OpenElements } from './open-elements.ts'
import { addText, endTag, startTag } from './repair.ts'
import { eatsFirstBreak, escapableElements, rawTextElements } from './rules.ts'
import { addAttribute, otherTag, type TreeWriter } from './tree-writer.ts'

/**
 * Reads the page from tag to tag. The searches for "<", for quotes and for the end of a comment are the
 * engine's own, which is several times as fast as looking at each character here; a search that finds nothing
 * ends the page, so none is repeated.
 */
export function readTokens(writer: TreeWriter, isXhtml: boolean): void {
  const { html } = writer.tree
  const open = noneOpen(writer)
  const length = html.length
  let at = 0
  let textFrom = 0
  while (at < length && !writer.tree.isCut) {
    const mark = html.indexOf('<', at)
    if (mark === -1) break
    const kind = html.charCodeAt(mark + 1)
    if (isLetter(kind)) {
      flushText(open, textFrom, mark)
      at = readStartTag(open, mark + 1, isXhtml)
    } else if (kind === slash && isLetter(html.charCodeAt(mark + 2))) {
      flushText(open, textFrom, mark)
      at = readEndTag(open, mark + 2)
    } else if (kind === exclamation || kind === question || kind === slash) {
      flushText(open, textFrom, mark)
      at = readDeclaration(open, mark)
    } else {
      // A "<" that begins no tag is text.
      at = mark + 1
      continue
    }
    textFrom = at
  }
  if (textFrom < length && !writer.tree.isCut) flushText(open, textFrom, length)
  closeTo(open, 0)
  writer.tree.ends[0] = writer.tree.count
}

const slash = 47
const exclamation = 33
const question = 63
const greater = 62
const equals = 61
const doubleQuote = 34
const singleQuote = 39
const lineBreak = 10

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

function flushText(open: OpenElements, start: number, stop: number): void {
  if (start < stop) addText(open, start, stop, false)
}

/** The tag whose name begins here; gives where the page goes on. */
function readStartTag(open: OpenElements, start: number, isXhtml: boolean): number {
  const { writer } = open
  const { html } = writer.tree
  const nameStop = nameEnd(html, start)
  const name = tagId(writer, start, nameStop)
  const firstAttribute = writer.attributeCount
  const stop = readAttributes(writer, nameStop)
  // A tag that the page ends in is not there.
  if (stop > html.length) return html.length
  const closesItself = html.charCodeAt(stop - 2) === slash
  startTag(open, name, firstAttribute)
  if (currentTag(open) !== name) return stop
  const mayClose = isXhtml || isForeign(open) || name === tag.svg || name === tag.math
  if (closesItself && mayClose) {
    closeCurrent(open)
    return stop
  }
  if (isForeign(open)) return stop
  if (name === tag.plaintext) {
    if (stop < html.length) addText(open, stop, html.length, true)
    return html.length
  }
  if (rawTextElements[name] === 1) return readRawText(open, name, stop)
  return eatsFirstBreak[name] === 1 && html.charCodeAt(stop) === lineBreak ? stop + 1 : stop
}

function tagId(writer: TreeWriter, start: number, stop: number): number {
  const { html } = writer.tree
  const listed = findName(tagTable, html, start, stop)
  return listed !== 0 ? listed : otherTag(writer, html.slice(start, stop).toLowerCase())
}

function nameEnd(html: string, start: number): number {
  let at = start
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === greater || code === slash || isSpace(code)) return at
  }
  return at
}

/** Reads attributes up to the end of the tag; gives the place behind it, past the page if there is no end. */
function readAttributes(writer: TreeWriter, start: number): number {
  const { html } = writer.tree
  const length = html.length
  let at = start
  while (at < length) {
    const code = html.charCodeAt(at)
    if (code === greater) return at + 1
    if (code === slash || isSpace(code)) at += 1
    else at = readAttribute(writer, at)
  }
  return length + 1
}

function readAttribute(writer: TreeWriter, start: number): number {
  const { html } = writer.tree
  const length = html.length
  // An "=" here is part of the name, as strange as that is.
  let nameStop = start + 1
  for (; nameStop < length; nameStop += 1) {
    const code = html.charCodeAt(nameStop)
    if (code === equals || code === greater || code === slash || isSpace(code)) break
  }
  const name = findName(attributeTable, html, start, nameStop)
  let at = skipSpaces(html, nameStop)
  if (html.charCodeAt(at) !== equals) {
    addAttribute(writer, name, start, nameStop, nameStop, nameStop)
    return at
  }
  at = skipSpaces(html, at + 1)
  const quote = html.charCodeAt(at)
  if (quote === doubleQuote || quote === singleQuote) {
    const end = html.indexOf(quote === doubleQuote ? '"' : "'", at + 1)
    if (end === -1) return length
    addAttribute(writer, name, start, nameStop, at + 1, end)
    return end + 1
  }
  const end = unquotedEnd(html, at)
  addAttribute(writer, name, start, nameStop, at, end)
  return end
}

function skipSpaces(html: string, start: number): number {
  let at = start
  while (isSpace(html.charCodeAt(at))) at += 1
  return at
}

function unquotedEnd(html: string, start: number): number {
  let at = start
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === greater || isSpace(code)) return at
  }
  return at
}

function readEndTag(open: OpenElements, start: number): number {
  const { writer } = open
  const { html } = writer.tree
  const nameStop = nameEnd(html, start)
  const stop = tagEnd(html, nameStop)
  if (stop > html.length) return html.length
  endTag(open, tagId(writer, start, nameStop), writer.attributeCount)
  return stop
}

/** End tags may carry attributes too, which mean nothing. */
function tagEnd(html: string, start: number): number {
  const end = html.indexOf('>', start)
  return end === -1 ? html.length + 1 : end + 1
}

/** The content of a script, a style or the like, up to its end tag, which is left to be read. */
function readRawText(open: OpenElements, name: number, start: number): number {
  const { html } = open.writer.tree
  const from = eatsFirstBreak[name] === 1 && html.charCodeAt(start) === lineBreak ? start + 1 : start
  let end = from
  for (;;) {
    end = html.indexOf('</', end)
    if (end === -1) {
      end = html.length
      break
    }
    const nameStop = nameEnd(html, end + 2)
    if (findName(tagTable, html, end + 2, nameStop) === name) break
    end += 2
  }
  if (from < end) addText(open, from, end, escapableElements[name] !== 1)
  return end
}

/** A comment, a doctype, a processing instruction or a stray "</": none is part of the tree. */
function readDeclaration(open: OpenElements, mark: number): number {
  const { html } = open.writer.tree
  if (html.startsWith('<!--', mark)) return commentEnd(html, mark)
  if (html.startsWith('<![CDATA[', mark) && isForeign(open)) {
    const end = html.indexOf(']]>', mark + 9)
    const stop = end === -1 ? html.length : end
    if (mark + 9 < stop) addText(open, mark + 9, stop, true)
    return end === -1 ? html.length : end + 3
  }
  const end = html.indexOf('>', mark + 2)
  return end === -1 ? html.length : end + 1
}

function commentEnd(html: string, mark: number): number {
  if (html.startsWith('>', mark + 4)) return mark + 5
  if (html.startsWith('->', mark + 4)) return mark + 6
  const end = html.indexOf('--', mark + 4)
  for (let at = end; at !== -1; at = html.indexOf('--', at + 1)) {
    if (html.charCodeAt(at + 2) === greater) return at + 3
    if (html.charCodeAt(at + 2) === exclamation && html.charCodeAt(at + 3) === greater) return at + 4
  }
  return html.length
}
