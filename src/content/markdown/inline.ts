import { attr, listedTags, tag } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  classOf,
  endOf,
  hasAttribute,
  type Node,
  none,
  type Tree,
  textOf,
} from '../tree/tree.ts'
import { isControl } from './code.ts'
import {
  isBlock,
  isClassifier,
  isCodeSpan,
  isCustom,
  isFormula,
  isItalic,
  isNote,
  isSignature,
  isSilent,
  isStandaloneBlock,
} from './facts.ts'
import {
  addBreak,
  emphasis,
  link as linkMark,
  putCode,
  putRaw,
  strikethrough,
  strong,
} from './inline-writer.ts'
import { hasUnevenBrackets, isPermalinkTo, isSourceLink, targetOfLink } from './link.ts'
import { codeBlockText, signatureLine } from './listing.ts'
import { formula, frameText, imageText, mediaText } from './media.ts'
import { collapsed, hasText } from './scan.ts'
import { superscriptMarkers } from './superscript.ts'
import { isSeparatedFrom, pieces, putText, putWords } from './text.ts'
import type { SurroundingText, Writer } from './writer.ts'

/** An image in its line, or in a paragraph of its own if it is a picture. Nothing makes an image bold or slanted. */
function putImage(writer: Writer, image: Node, { marks, link, target }: SurroundingText): void {
  const text = imageText(writer, image)
  if (text === '') return
  const { inline, tree } = writer
  const isAlone = inline.style === 'lines' && isPicture(tree, image) && !isInLinkedText(writer, image, link)
  if (isAlone) inline.breaks = 2
  putRaw(inline, text, marks & linkMark, link, target)
  if (isAlone) inline.breaks = 2
}

/** Wider than what stands within a line. */
const widthOfPicture = 300

const pictureNames = /(?:^|\s)(?:size-(?:large|full|medium_large)|aligncenter)(?:\s|$)/

function isPicture(tree: Tree, image: Node): boolean {
  const width = attribute(tree, image, attr.width)
  if (width !== undefined && /^\d{1,5}(?:px)?$/.test(width))
    return Number.parseInt(width, 10) >= widthOfPicture
  if (pictureNames.test(classOf(tree, image) ?? '')) return true
  return /(?:^|[;\s])display:\s?block/i.test(attributeNamed(tree, image, 'style') ?? '')
}

/** More than a link around nothing but a picture has. */
const nodesAround = 20

/** A break would tear the link of a card, or around several pictures. */
function isInLinkedText({ tree, facts }: Writer, image: Node, link: Node): boolean {
  if (link === none) return false
  const isAround = tree.tags[link] === tag.a && link < image && endOf(tree, link) > image
  const end = endOf(tree, link)
  if (!isAround || end - link > nodesAround || hasText(tree, facts, link + 1, end)) return true
  for (let at = link + 1; at < end; at += 1) if (at !== image && tree.tags[at] === tag.img) return true
  return false
}

/** The indent of a list inside another one, where spaces at the start of a line show nothing. */
const cellIndent = '&nbsp;&nbsp;'
const maxIndents = 8

/** What an item of a list inside the lists around it begins with, in the cell of a table. */
const cellIndentOf = (tree: Tree, list: Node) => cellIndent.repeat(listsAround(tree, list))

/** Whether an item begins with another list, whose items stand for it. */
function isEmptyItem(tree: Tree, item: Node): boolean {
  const end = tree.ends[item] ?? 0
  let at = item + 1
  while (at < end && tree.tags[at] === 0 && textOf(tree, at).trim() === '') at += 1
  return at === end || tree.tags[at] === tag.ul || tree.tags[at] === tag.ol
}

function listsAround(tree: Tree, list: Node): number {
  let lists = 0
  for (let at = tree.parents[list] ?? 0; at > 0 && lists < maxIndents; at = tree.parents[at] ?? 0) {
    const name = tree.tags[at] ?? 0
    if (name === tag.td || name === tag.th) break
    if (name === tag.ul || name === tag.ol) lists += 1
  }
  return lists
}

const isWhole = isBlock | isFormula | isNote | isClassifier | isStandaloneBlock | isCodeSpan | isItalic

/**
 * Writes the inline content between two nodes. An element that means nothing is walked through as if its tags
 * were not there, so only those with an end that matters cost a call.
 */
export function writeInline(writer: Writer, from: Node, end: Node, around: SurroundingText): void {
  const { tree, facts } = writer
  const { tags, ends } = tree
  let customEnd = none
  let piece = none
  let pieceEnd = none
  let at = from
  while (at < end) {
    const name = tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & isSilent) !== 0) at = ends[at] ?? end
    else if (name === 0) {
      putText(writer, at, around)
      at += 1
    } else if ((fact & isWhole) !== 0) {
      writeWhole(writer, at, fact, around)
      at = ends[at] ?? end
    } else if (isCustom(name)) {
      // Elements of a page's own making stand apart when nothing but they themselves is there to say so.
      if (at === customEnd) writer.inline.hasSpace = true
      customEnd = ends[at] ?? end
      at += 1
    } else {
      if (pieces[name] === 1) {
        if (at === pieceEnd && isSeparatedFrom(writer, piece, at)) writer.inline.hasSpace = true
        piece = at
        pieceEnd = ends[at] ?? end
      }
      const write = elementWriters[name]
      if (write) write(writer, at, around)
      at = write ? (ends[at] ?? end) : at + 1
    }
  }
}

function writeWhole(writer: Writer, node: Node, fact: number, around: SurroundingText): void {
  const { inline, tree } = writer
  const { marks, link, target } = around
  const label = (fact & isNote) !== 0 ? writer.notes.labels.get(node) : undefined
  if (label !== undefined && (fact & isBlock) === 0)
    putRaw(inline, `[^${label}]`, marks & ~linkMark, none, '')
  else if ((fact & isFormula) !== 0) {
    const tex = formula(tree, node)
    if (tex.isTex) putRaw(inline, `$${tex.text}$`, marks, link, target)
    else putWords(writer, tex.text, around)
  } else if ((fact & isClassifier) !== 0) {
    if (inline.last !== 0 && inline.last !== colon) putWords(writer, ' : ', around)
    children(writer, node, around)
  } else if ((fact & (isStandaloneBlock | isBlock)) === isStandaloneBlock) spaced(writer, node, around)
  else if ((fact & (isCodeSpan | isBlock)) === isCodeSpan) writeCode(writer, node, around)
  else if ((fact & (isItalic | isBlock)) === isItalic) marked(emphasis)(writer, node, around)
  else writeBlockInLine(writer, node, around)
}

const colon = 58

function children(writer: Writer, node: Node, around: SurroundingText): void {
  writeInline(writer, node + 1, writer.tree.ends[node] ?? 0, around)
}

type WriteElement = (writer: Writer, node: Node, around: SurroundingText) => void

const marked =
  (mark: number): WriteElement =>
  (writer, node, around) =>
    children(writer, node, { ...around, marks: around.marks | (writer.isInHeading ? mark & ~strong : mark) })

const elementWriters = writersByTag([
  [[tag.a], writeLink],
  [[tag.b, tag.strong], marked(strong)],
  [[tag.i, tag.em, tag.var, tag.dfn], marked(emphasis)],
  [[tag.s, tag.del, tag.strike], marked(strikethrough)],
  [[tag.code, tag.kbd, tag.samp, tag.tt], writeCode],
  [[tag.br], (writer, _, around) => addBreak(writer.inline, around.link !== none)],
  [[tag.img], putImage],
  [[tag.audio, tag.video], writeMedia],
  [[tag.input], writeCheckbox],
  [[tag.button], writeButton],
  [[tag.label], spaced],
  [[tag.q], (writer, node, around) => between(writer, '“', node, around, '”')],
  [[tag.rt], (writer, node, around) => between(writer, ' (', node, around, ')')],
  [[tag.sub, tag.sup], writeScript],
])

function writersByTag(pairs: [number[], WriteElement][]): (WriteElement | undefined)[] {
  const writers = new Array<WriteElement | undefined>(listedTags.length).fill(undefined)
  for (const [names, write] of pairs) for (const name of names) writers[name] = write
  return writers
}

function putIfAny(writer: Writer, text: string, { marks, link, target }: SurroundingText): void {
  if (text !== '') putRaw(writer.inline, text, marks, link, target)
}

const isOfSite = ({ page }: Writer, target: string) => target.startsWith(`${URL.parse(page)?.origin}/`)

function writeLink(writer: Writer, node: Node, around: SurroundingText): void {
  const target = targetOfLink(writer, node)
  if (target === '') {
    children(writer, node, around)
    return
  }
  if (isPermalinkTo(writer, node, target)) return
  if (writer.isInHeading && writer.inline.last !== 0 && isSourceLink(writer.tree, node)) return
  if (
    writer.isInHeading &&
    (target.startsWith(writer.page) || (writer.isInTitle && isOfSite(writer, target)))
  ) {
    children(writer, node, around)
    return
  }
  const { inline, tree } = writer
  const { puts } = inline
  const escapesBrackets = hasUnevenBrackets(tree, node)
  const linked = { marks: around.marks | linkMark, link: node, target, escapesBrackets }
  children(writer, node, linked)
  if (inline.puts > puts || writer.isInHeading) return
  const label = attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title)
  if (label) putWords(writer, label, linked)
}

/** The parts of one code element are one span, however they are coloured; links cut it in pieces. */
function writeCode(writer: Writer, node: Node, around: SurroundingText): void {
  const { tree, facts } = writer
  const end = tree.ends[node] ?? 0
  let text = ''
  let at = node + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    if (name === 0 && ((facts[at] ?? 0) & isSilent) === 0) text += textOf(tree, at)
    if (name === tag.br) {
      putSpan(writer, text, around)
      addBreak(writer.inline, around.link !== none)
      text = ''
    }
    const target = name === tag.a && around.link === none ? targetOfLink(writer, at) : ''
    if (target !== '') {
      putSpan(writer, text, around)
      text = ''
      writeCode(writer, at, { marks: around.marks | linkMark, link: at, target, escapesBrackets: false })
    } else if (name === tag.img) putImage(writer, at, around)
    const isPassed = target !== '' || ((facts[at] ?? 0) & isSilent) !== 0
    at = isPassed ? (tree.ends[at] ?? end) : at + 1
  }
  putSpan(writer, text, around)
}

function putSpan({ inline }: Writer, raw: string, { marks, link, target }: SurroundingText): void {
  const text = collapsed(raw)
  const code = text.trim()
  if (text.startsWith(' ')) inline.hasSpace = true
  if (code !== '') putCode(inline, code, marks, link, target)
  if (text.endsWith(' ')) inline.hasSpace = true
}

function writeCheckbox(writer: Writer, node: Node, { marks, link, target }: SurroundingText): void {
  if (!isFirstInItem(writer, node)) return
  putRaw(writer.inline, hasAttribute(writer.tree, node, attr.checked) ? '[x]' : '[ ]', marks, link, target)
  writer.inline.hasSpace = true
}

/** Whether nothing is written between the start of an item and its checkbox. */
function isFirstInItem({ tree }: Writer, checkbox: Node): boolean {
  for (let at = checkbox - 1; at > 0; at -= 1) {
    if (tree.tags[at] === tag.li) return (tree.ends[at] ?? 0) > checkbox
    if (tree.tags[at] === 0 && textOf(tree, at).trim() !== '') return false
    if (tree.tags[at] !== 0 && (tree.ends[at] ?? 0) <= checkbox) return false
  }
  return false
}

function writeMedia(writer: Writer, node: Node, around: SurroundingText): void {
  writer.inline.hasSpace = true
  putIfAny(writer, around.link === none ? mediaText(writer, node) : '', around)
  writer.inline.hasSpace = true
}

function writeButton(writer: Writer, node: Node, around: SurroundingText): void {
  if (!isControl(writer.tree, node)) spaced(writer, node, around)
}

function spaced(writer: Writer, node: Node, around: SurroundingText): void {
  writer.inline.hasSpace = true
  children(writer, node, around)
  writer.inline.hasSpace = true
}

function between(writer: Writer, open: string, node: Node, around: SurroundingText, close: string): void {
  putWords(writer, open, around)
  children(writer, node, around)
  putWords(writer, close, around)
}

function writeScript(writer: Writer, node: Node, around: SurroundingText): void {
  const { open, close } = superscriptMarkers(writer, node, around)
  putIfAny(writer, open, around)
  children(writer, node, around)
  putIfAny(writer, close, around)
}

/** A block where only a line is possible, as in a heading or a table cell. */
function writeBlockInLine(writer: Writer, node: Node, around: SurroundingText): void {
  const { tree, facts, inline } = writer
  const name = tree.tags[node] ?? 0
  const write = elementWriters[name]
  if (write) {
    write(writer, node, around)
    return
  }
  addBreak(inline, around.link !== none)
  const label = writer.labels.get(node)
  if (label !== undefined) {
    children(writer, label, { ...around, marks: around.marks | strong })
    addBreak(inline, around.link !== none)
  }
  if (name === tag.iframe) putIfAny(writer, frameText(writer, node), around)
  else if (name === tag.pre) writeListingInLine(writer, node, around)
  else if (((facts[node] ?? 0) & isSignature) !== 0) putSpan(writer, signatureLine(writer, node), around)
  else if (name === tag.ul || name === tag.ol) writeListInLine(writer, node, around)
  else children(writer, node, around)
  addBreak(inline, around.link !== none)
}

function writeListInLine(writer: Writer, node: Node, around: SurroundingText): void {
  const { tree, facts, inline } = writer
  const end = tree.ends[node] ?? 0
  const indent = inline.style === 'tags' ? cellIndentOf(tree, node) : ''
  let number = Number.parseInt(attribute(tree, node, attr.start) ?? '1', 10) || 1
  for (let at = node + 1; at < end; at = tree.ends[at] ?? end) {
    const isItem = tree.tags[at] === tag.li && ((facts[at] ?? 0) & isSilent) === 0
    if (isItem && !isEmptyItem(tree, at) && hasText(tree, facts, at + 1, tree.ends[at] ?? end)) {
      addBreak(inline, around.link !== none)
      const { marks, link, target } = around
      putRaw(inline, `${indent}${tree.tags[node] === tag.ol ? `${number}.` : '-'}`, marks, link, target)
      inline.hasSpace = true
      inline.isAfterBullet = true
      number += 1
    }
    if (isItem) children(writer, at, around)
    else writeInline(writer, at, tree.ends[at] ?? end, around)
  }
}

function writeListingInLine(writer: Writer, node: Node, around: SurroundingText): void {
  const { inline } = writer
  const { marks, link, target } = around
  const lines = codeBlockText(writer, node).split('\n')
  for (const line of lines) {
    const code = lines.length > 1 ? line.trimEnd() : line.trim()
    if (code !== '') putCode(inline, code, marks, link, target)
    addBreak(inline, link !== none)
  }
}
