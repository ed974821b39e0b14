import { findName, listedTags, tag, tagSet, tagTable } from './names.ts'

/** The page while it is read. */
export interface Source {
  html: string
  /** Where what is being read ends: the page, or a part of it that ends at its own end tag whatever it holds. */
  end: number
  /** Elements of raw text whose end tag does not come any more. */
  unended: Set<number>
  /** Where a comment ends next, as far as that is known. */
  commentEnd: number
}

/**
 * Where a sign stands next, or -1. A part is searched as a text of its own, so that a sign it does not hold is not looked
 * for in all the rest of the page; such a text is a view and costs nothing.
 */
export function search({ html, end }: Source, sign: string, from: number): number {
  if (end === html.length) return html.indexOf(sign, from)
  const found = html.slice(from, end).indexOf(sign)
  return found === -1 ? -1 : from + found
}

const slash = 47
const greater = 62

export const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

export const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11)

/** Whether the name of a tag cannot go on with this character. */
export const endsName = (code: number) => code === greater || code === slash || isSpace(code)

/** A text as the codes of its characters: to look at each of them is several times as fast here as in a string. */
export function characterCodes(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  Buffer.from(codes.buffer).write(text, 'utf16le')
  return codes
}

/** What an element belongs to: HTML, a drawing, or a formula. */
export type Space = number

export const html: Space = 0
const svg: Space = 1
const math: Space = 2

/** What an element is that begins in a content. */
export function namespaceOf(around: Space, name: number): Space {
  if (around !== html) return around
  return name === tag.svg ? svg : name === tag.math ? math : html
}

const htmlInSvg = tagSet('desc foreignobject title')
const htmlInMath = tagSet('annotation-xml mi mn mo ms mtext')

/** What the content of an element is: some parts of drawings and formulas hold HTML. */
export function contentNamespace(space: Space, name: number): Space {
  if (space === svg) return htmlInSvg[name] === 1 ? html : svg
  if (space === math) return htmlInMath[name] === 1 ? html : math
  return html
}

/** Where the end tag of an element stands whose content is text, whatever it looks like; -1 if there is none. */
export function endTagOf(source: Source, name: number, from: number): number {
  if (source.unended.has(name)) return -1
  const found = name === tag.script ? scriptEnd(source, from) : nextEndTag(source, name, from)
  // Looked for by every such element, an end that is not there would be a walk over the page for each.
  if (found === -1) source.unended.add(name)
  return found
}

function nextEndTag(source: Source, name: number, from: number): number {
  for (let at = search(source, '</', from); at !== -1; at = search(source, '</', at + 2)) {
    if (isTag(source, at + 2, name)) return at
  }
  return -1
}

/** Whether a tag has this name, which begins here. Only as much is looked at as the name is long. */
function isTag({ html, end }: Source, start: number, name: number): boolean {
  const stop = start + (listedTags[name] ?? '').length
  return stop < end && endsName(html.charCodeAt(stop)) && findName(tagTable, html, start, stop) === name
}

/**
 * In what looks like a comment a script may hold another one with its end tag, from the days when scripts were hidden from
 * browsers that knew none.
 */
function scriptEnd(source: Source, from: number): number {
  let at = from
  let end = nextEndTag(source, tag.script, from)
  while (end !== -1) {
    const comment = source.html.slice(at, end).indexOf('<!--')
    if (comment === -1) return end
    const commentEnd = nextCommentEnd(source, at + comment + 2)
    if (commentEnd === -1) return endInOpenComment(source, at + comment, end)
    const inside = endInComment(source, at + comment, commentEnd)
    if (inside !== -1) return inside
    at = commentEnd + 3
    if (end < at) end = nextEndTag(source, tag.script, at)
  }
  return -1
}

/** In browsers a comment in a script that never ends may hide the rest of the page; here it does not. */
function endInOpenComment(source: Source, comment: number, first: number): number {
  if (source.unended.has(openComment)) return first
  const end = endInComment(source, comment, source.end)
  if (end === -1) source.unended.add(openComment)
  return end === -1 ? first : end
}

const openComment = 0

/** The end of the script in this comment, which is none of a script inside it; -1 if there is none. */
function endInComment(source: Source, from: number, to: number): number {
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

function nextCommentEnd(source: Source, from: number): number {
  if (source.commentEnd < from) {
    const found = search(source, '-->', from)
    source.commentEnd = found === -1 ? source.html.length : found
  }
  return source.commentEnd < source.end ? source.commentEnd : -1
}
