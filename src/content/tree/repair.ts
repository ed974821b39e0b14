import { tag } from './names.ts'
import {
  border,
  closeCurrent,
  closeTo,
  currentNode,
  currentTag,
  isForeign,
  lastPlace,
  nearest,
  type OpenElements,
  push,
} from './open-elements.ts'
import {
  closesParagraph,
  formattingElements,
  headElements,
  headings,
  holdsOnlyParts,
  leavesForeignContent,
  specialElements,
  tablePartParents,
  tableParts,
  voidElements,
} from './rules.ts'
import { none } from './tree.ts'
import { addNode, textStart } from './tree-writer.ts'

/**
 * Missing and crossed tags are repaired by those rules of the HTML standard that matter for reading. The work
 * for a tag does not depend on its depth, so the time is linear in the page.
 */
export function startTag(open: OpenElements, name: number, firstAttribute: number): void {
  if (isForeign(open) && leavesForeignContent[name] === 1) {
    closeTo(open, Math.max(lastPlace(open, tag.svg), lastPlace(open, tag.math)))
  }
  if (isForeign(open)) {
    addElement(open, name, firstAttribute)
    return
  }
  if ((name === tag.html || name === tag.body) && lastPlace(open, name) !== -1) return
  if (name === tag.head && (lastPlace(open, name) !== -1 || lastPlace(open, tag.body) !== -1)) return
  closeImplied(open, name)
  addElement(open, name === tag.image ? tag.img : name, firstAttribute)
}

/** Ends what an author left open before this start tag. */
function closeImplied(open: OpenElements, name: number): void {
  const current = currentTag(open)
  if (current === tag.head && headElements[name] !== 1) closeCurrent(open)
  if (closesParagraph[name] === 1) {
    if (name === tag.li) close(open, lastPlace(open, tag.li), border(open, 'lists'))
    if (name === tag.dd || name === tag.dt) {
      close(open, Math.max(lastPlace(open, tag.dd), lastPlace(open, tag.dt)), border(open, 'lists'))
    }
    closeParagraph(open)
    if (headings[name] === 1 && headings[currentTag(open)] === 1) closeCurrent(open)
    return
  }
  if (name === tag.a) close(open, lastPlace(open, tag.a), border(open, 'specials'))
  else if (name === tag.button) close(open, lastPlace(open, tag.button), border(open, 'scopes'))
  else if (name === tag.option || name === tag.optgroup) {
    if (currentTag(open) === tag.option) closeCurrent(open)
    if (name === tag.optgroup && currentTag(open) === tag.optgroup) closeCurrent(open)
  } else if (name === tag.rt || name === tag.rp) {
    if (current === tag.rt || current === tag.rp) closeCurrent(open)
  }
  if (tableParts[name] !== 1) return
  const parent = nearest(open, tablePartParents.get(name) ?? [])
  if (parent !== -1) closeTo(open, parent + 1)
}

export function endTag(open: OpenElements, name: number, attributeCount: number): void {
  if (name === tag.br) startTag(open, name, attributeCount)
  else if (name === tag.p) closeParagraph(open)
  else if (headings[name] === 1) close(open, nearest(open, headingTags), border(open, 'scopes'))
  // What follows the end of the body still belongs to it.
  else if (name !== tag.body && name !== tag.html) close(open, lastPlace(open, name), borderOf(open, name))
}

const headingTags = [tag.h1, tag.h2, tag.h3, tag.h4, tag.h5, tag.h6]

function borderOf(open: OpenElements, name: number): number {
  if (tableParts[name] === 1) return Math.max(lastPlace(open, tag.table), lastPlace(open, tag.template))
  if (name === tag.li) {
    return Math.max(border(open, 'scopes'), lastPlace(open, tag.ul), lastPlace(open, tag.ol))
  }
  const reaches = specialElements[name] === 1 || formattingElements[name] === 1
  return border(open, reaches ? 'scopes' : 'specials')
}

/** Closes the element at this place and all inside it, unless a border lies between. */
function close(open: OpenElements, place: number, stop: number): void {
  if (place !== -1 && place >= stop) closeTo(open, place)
}

function closeParagraph(open: OpenElements): void {
  const place = lastPlace(open, tag.p)
  if (place === -1) return
  close(open, place, Math.max(border(open, 'scopes'), lastPlace(open, tag.button)))
}

function addElement(open: OpenElements, name: number, firstAttribute: number): void {
  const { writer } = open
  if (open.depth >= writer.limits.maxDepth) {
    writer.tree.isFlattened = true
    closeCurrent(open)
  }
  const node = addNode(writer, currentNode(open), name, firstAttribute, writer.attributeCount)
  if (node === none || (voidElements[name] === 1 && !isForeign(open))) return
  push(open, node, name)
}

/** Text between two tags. Raw text holds no character references. */
export function addText(open: OpenElements, start: number, stop: number, isRaw: boolean): void {
  const { writer } = open
  const current = currentTag(open)
  if ((current === tag.head || holdsOnlyParts[current] === 1) && isBlank(writer.tree.html, start, stop))
    return
  if (current === tag.head) closeCurrent(open)
  addNode(writer, currentNode(open), 0, isRaw ? start : textStart(writer, start, stop), stop)
}

function isBlank(html: string, start: number, stop: number): boolean {
  for (let at = start; at < stop; at += 1) {
    const code = html.charCodeAt(at)
    if (code > 32) return false
  }
  return true
}
