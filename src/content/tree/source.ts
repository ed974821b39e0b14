import { findName, listedTags, tag, tagSet, tagTable } from './names.ts'

export interface Source {
  html: string
  /** Offset at which parsing ends: the end of the page, or of a part that ends at its end tag whatever it contains. */
  end: number
  unclosed: Set<number>
  /** Offset of the next end of a comment; too small if the next end is not searched yet. */
  commentEnd: number
}

/** Searches a part in a substring, which is no copy, so that a failed search does not scan the whole page. */
export function search({ html, end }: Source, text: string, from: number): number {
  if (end === html.length) return html.indexOf(text, from)
  const offset = html.slice(from, end).indexOf(text)
  return offset === -1 ? -1 : from + offset
}

const slash = 47
const greater = 62

export const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

export const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11)

export const endsName = (code: number) => code === greater || code === slash || isSpace(code)

/** Converts a text to its character codes, because access to typed arrays is several times as fast as to strings. */
export function characterCodes(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  Buffer.from(codes.buffer).write(text, 'utf16le')
  return codes
}

export type Namespace = number

export const html: Namespace = 0
const svg: Namespace = 1
const math: Namespace = 2

export function namespaceOf(content: Namespace, name: number): Namespace {
  if (content !== html) return content
  return name === tag.svg ? svg : name === tag.math ? math : html
}

const htmlInSvg = tagSet('desc foreignobject title')
const htmlInMath = tagSet('annotation-xml mi mn mo ms mtext')

export function contentNamespace(space: Namespace, name: number): Namespace {
  if (space === svg) return htmlInSvg[name] === 1 ? html : svg
  if (space === math) return htmlInMath[name] === 1 ? html : math
  return html
}

export function endTagOf(source: Source, name: number, from: number): number {
  if (source.unclosed.has(name)) return -1
  const offset = name === tag.script ? findScriptEnd(source, from) : nextEndTag(source, name, from)
  // Cache unsuccessful searches, because each further element of this name would scan the complete page.
  if (offset === -1) source.unclosed.add(name)
  return offset
}

function nextEndTag(source: Source, name: number, from: number): number {
  for (let at = search(source, '</', from); at !== -1; at = search(source, '</', at + 2)) {
    if (isTag(source, at + 2, name)) return at
  }
  return -1
}

/** Returns true if the tag name in the source begins here. Reads only as many characters as the name has. */
function isTag({ html, end }: Source, start: number, name: number): boolean {
  const stop = start + (listedTags[name] ?? '').length
  return stop < end && endsName(html.charCodeAt(stop)) && findName(tagTable, html, start, stop) === name
}

/** Inside a comment, a script may contain another one with its end tag, as in pages for old browsers. */
function findScriptEnd(source: Source, from: number): number {
  let at = from
  let end = nextEndTag(source, tag.script, from)
  while (end !== -1) {
    const comment = source.html.slice(at, end).indexOf('<!--')
    if (comment === -1) return end
    const commentEnd = findCommentEnd(source, at + comment + 2)
    if (commentEnd === -1) return findEndInOpenComment(source, at + comment, end)
    const endInside = findEndInComment(source, at + comment, commentEnd)
    if (endInside !== -1) return endInside
    at = commentEnd + 3
    if (end < at) end = nextEndTag(source, tag.script, at)
  }
  return -1
}

/** Browsers may hide the rest of the page after an unclosed comment in a script; this parser does not. */
function findEndInOpenComment(source: Source, comment: number, firstEnd: number): number {
  if (source.unclosed.has(openComment)) return firstEnd
  const end = findEndInComment(source, comment, source.end)
  if (end === -1) source.unclosed.add(openComment)
  return end === -1 ? firstEnd : end
}

const openComment = 0

function findEndInComment(source: Source, from: number, to: number): number {
  const comment = { ...source, end: to }
  let isInScript = false
  for (let at = search(comment, '<', from); at !== -1; at = search(comment, '<', at + 1)) {
    const isEnd = source.html.charCodeAt(at + 1) === slash
    if (!isTag(comment, at + (isEnd ? 2 : 1), tag.script)) continue
    if (isEnd && !isInScript) return at
    isInScript = !isEnd
  }
  return -1
}

function findCommentEnd(source: Source, from: number): number {
  if (source.commentEnd < from) {
    const offset = search(source, '-->', from)
    source.commentEnd = offset === -1 ? source.html.length : offset
  }
  return source.commentEnd < source.end ? source.commentEnd : -1
}
