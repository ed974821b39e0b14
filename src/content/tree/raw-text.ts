import { findName, tagTable } from './name-table.ts'
import { listedTags, tag } from './names.ts'
import { endsName, type Source, search } from './source.ts'

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

const slash = 47

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
