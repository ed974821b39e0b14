import { tag } from './names.ts'
import {
  border,
  closeCurrent,
  closeTo,
  currentNamespace,
  currentNode,
  currentTag,
  isForeignContent,
  lastIndexOf,
  nearest,
  type OpenElements,
  push,
} from './open-elements.ts'
import {
  closesForeignContent,
  closesParagraph,
  closesSelect,
  columnElements,
  formattingElements,
  headElements,
  headings,
  ignoresWhiteSpace,
  impliesRow,
  rubyParts,
  specialElements,
  tablePartParents,
  tableParts,
  voidElements,
} from './rules.ts'
import { html, namespaceOf } from './source.ts'
import { attributeName, none } from './tree.ts'
import { addNode, textStart } from './tree-writer.ts'

type StartTagResult = 'nothing' | 'html' | 'foreign'

/** Makes the repairs of the HTML standard that affect the text, in a time that does not depend on the depth. */
export function startTag(open: OpenElements, name: number, firstAttribute: number): StartTagResult {
  if (isForeignContent(open) && endsForeignContent(open, name, firstAttribute)) closeForeignContent(open)
  if (isForeignContent(open)) return addElement(open, name, firstAttribute)
  if ((name === tag.html || name === tag.body) && lastIndexOf(open, name) !== -1) return 'nothing'
  if (name === tag.head && (lastIndexOf(open, name) !== -1 || lastIndexOf(open, tag.body) !== -1))
    return 'nothing'
  if (closesSelect[name] === 1 && close(open, lastIndexOf(open, tag.select), border(open, 'scopes'))) {
    if (name === tag.select) return 'nothing'
  }
  closeImplied(open, name)
  return addElement(open, name === tag.image ? tag.img : name, firstAttribute)
}

function endsForeignContent({ writer }: OpenElements, name: number, firstAttribute: number): boolean {
  if (name !== tag.font) return closesForeignContent[name] === 1
  for (let at = firstAttribute; at < writer.attributeCount; at += 1) {
    if (fontAttributes.has(attributeName(writer.tree, at))) return true
  }
  return false
}

const fontAttributes = new Set(['color', 'face', 'size'])

function closeForeignContent(open: OpenElements): void {
  while (isForeignContent(open))
    closeTo(open, Math.max(lastIndexOf(open, tag.svg), lastIndexOf(open, tag.math)))
}

function closeImplied(open: OpenElements, name: number): void {
  const current = currentTag(open)
  if (current === tag.head && headElements[name] !== 1) closeCurrent(open)
  if (current === tag.colgroup && columnElements[name] !== 1) closeCurrent(open)
  if (closesParagraph[name] === 1) {
    if (name === tag.li) close(open, lastIndexOf(open, tag.li), border(open, 'lists'))
    if (name === tag.dd || name === tag.dt) {
      close(open, Math.max(lastIndexOf(open, tag.dd), lastIndexOf(open, tag.dt)), border(open, 'lists'))
    }
    closeParagraph(open, border(open, 'foreigns'))
    if (name === tag.table) {
      const table = lastIndexOf(open, tag.table)
      if (table > nearest(open, tableHolders)) close(open, table, table)
    }
    if (headings[name] === 1 && headings[currentTag(open)] === 1) closeCurrent(open)
    return
  }
  if (name === tag.a) close(open, lastIndexOf(open, tag.a), border(open, 'specials'))
  else if (name === tag.button) close(open, lastIndexOf(open, tag.button), border(open, 'scopes'))
  else if (name === tag.option || name === tag.optgroup) {
    if (currentTag(open) === tag.option) closeCurrent(open)
    if (name === tag.optgroup && currentTag(open) === tag.optgroup) closeCurrent(open)
  } else if (rubyParts[name] === 1) closeRubyParts(open, name)
  if (tableParts[name] !== 1) return
  const parent = nearest(open, tablePartParents.get(name) ?? [])
  if (parent === -1 || parent < open.minDepth) return
  closeTo(open, parent + 1)
  const isCell = name === tag.td || name === tag.th
  if (isCell && impliesRow[currentTag(open)] === 1) {
    addElement(open, tag.tr, open.writer.attributeCount)
  }
}

/** Closes ruby texts and annotations. They are siblings, but a container (rtc) holds several annotations. */
function closeRubyParts(open: OpenElements, name: number): void {
  const container = name === tag.rt || name === tag.rp ? tag.rtc : 0
  for (let at = currentTag(open); rubyParts[at] === 1 && at !== container; at = currentTag(open)) {
    closeCurrent(open)
  }
}

const tableHolders = [tag.caption, tag.td, tag.template, tag.th]

export function endTag(open: OpenElements, name: number, attributeCount: number): void {
  if (isForeignContent(open) && (name === tag.br || name === tag.p)) closeForeignContent(open)
  if (name === tag.br) {
    startTag(open, name, attributeCount)
    return
  }
  const { depth } = open
  closeNamed(open, name, attributeCount)
  // The end tag belongs to the outermost closed element, which was at the first index that is free now.
  if (open.depth < depth) open.writer.tree.endTags[open.nodes[open.depth] ?? none] = 1
}

function closeNamed(open: OpenElements, name: number, attributeCount: number): void {
  // Inside SVG or MathML, an end tag also closes all elements within the element that it names.
  if (
    border(open, 'foreigns') === open.depth - 1 &&
    close(open, lastIndexOf(open, name), border(open, 'htmls') + 1)
  )
    return
  if (name === tag.p) endParagraph(open, attributeCount)
  else if (headings[name] === 1) close(open, nearest(open, headingTags), border(open, 'scopes'))
  else if (name === tag.template) close(open, lastIndexOf(open, name), open.minDepth)
  // Content after the end of the body still belongs to the body.
  else if (name !== tag.body && name !== tag.html) close(open, lastIndexOf(open, name), getBorder(open, name))
}

/** Adds an empty paragraph for a stray end tag, because it separates the adjacent words. */
function endParagraph(open: OpenElements, attributeCount: number): void {
  if (closeParagraph(open, -1)) return
  const { tree } = open.writer
  const last = tree.count - 1
  const isRepeated = tree.tags[last] === tag.p && tree.parents[last] === currentNode(open)
  if (!isRepeated && startTag(open, tag.p, attributeCount) !== 'nothing') closeCurrent(open)
}

const headingTags = [tag.h1, tag.h2, tag.h3, tag.h4, tag.h5, tag.h6]

function getBorder(open: OpenElements, name: number): number {
  if (tableParts[name] === 1) return Math.max(lastIndexOf(open, tag.table), lastIndexOf(open, tag.template))
  if (name === tag.li) {
    return Math.max(border(open, 'scopes'), lastIndexOf(open, tag.ul), lastIndexOf(open, tag.ol))
  }
  const crossesBlocks = specialElements[name] === 1 || formattingElements[name] === 1
  return border(open, crossesBlocks ? 'scopes' : 'specials')
}

function close(open: OpenElements, index: number, stop: number): boolean {
  if (index === -1 || index < stop || index < open.minDepth) return false
  closeTo(open, index)
  return true
}

function closeParagraph(open: OpenElements, stop: number): boolean {
  const borderIndex = Math.max(stop, border(open, 'scopes'), lastIndexOf(open, tag.button))
  return close(open, lastIndexOf(open, tag.p), borderIndex)
}

function addElement(open: OpenElements, name: number, firstAttribute: number): StartTagResult {
  const { writer } = open
  const space = namespaceOf(currentNamespace(open), name)
  if (open.depth >= writer.limits.maxDepth) {
    writer.tree.isFlattened = true
    closeCurrent(open)
  }
  const node = addNode(writer, currentNode(open), name, firstAttribute, writer.attributeCount)
  if (node === none || (voidElements[name] === 1 && space === html)) return 'nothing'
  push(open, node, name, space)
  return space === html ? 'html' : 'foreign'
}

export function addText(open: OpenElements, start: number, stop: number, isRaw: boolean): void {
  const { writer } = open
  const current = currentTag(open)
  if ((current === tag.head || ignoresWhiteSpace[current] === 1) && isBlank(writer.tree.html, start, stop))
    return
  if (current === tag.head || current === tag.colgroup) closeCurrent(open)
  addNode(writer, currentNode(open), 0, isRaw ? start : textStart(writer, start, stop), stop)
}

function isBlank(html: string, start: number, stop: number): boolean {
  for (let at = start; at < stop; at += 1) if (html.charCodeAt(at) > 32) return false
  return true
}
