import { attr, listedTags, tag } from '../tree/names.ts'
import { attribute, hasAttribute, type Node, none, textOf } from '../tree/tree.ts'
import { isBlock, isCustom, isFormula, isNote, isSilent } from './facts.ts'
import { formula } from './formula.ts'
import { imageText } from './image.ts'
import { hasUnevenBrackets, isPermalinkTo, targetOfLink } from './link.ts'
import { listingText } from './listing.ts'
import { emphasis, link as linkMark, strong, struck } from './marks.ts'
import { frameText, mediaText } from './media.ts'
import { addBreak, putCode, putRaw } from './pen.ts'
import { collapsed } from './scan.ts'
import { beginningOf, putText, putWords } from './text.ts'
import type { Around, Writer } from './writer.ts'

/**
 * Writes the inline content between two nodes. An element that means nothing is walked through as if its tags
 * were not there, so only those with an end that matters cost a call.
 */
export function writeInline(writer: Writer, from: Node, end: Node, around: Around): void {
  const { tree, facts } = writer
  const { tags, ends } = tree
  let customEnd = none
  let at = from
  while (at < end) {
    const name = tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & isSilent) !== 0) at = ends[at] ?? end
    else if (name === 0) {
      putText(writer, at, around)
      at += 1
    } else if ((fact & (isBlock | isFormula | isNote)) !== 0) {
      writeWhole(writer, at, fact, around)
      at = ends[at] ?? end
    } else if (isCustom(name)) {
      // Elements of a page's own making stand apart when nothing but they themselves is there to say so.
      if (at === customEnd) writer.pen.hasSpace = true
      customEnd = ends[at] ?? end
      at += 1
    } else {
      const write = elementWriters[name]
      if (write) write(writer, at, around)
      at = write ? (ends[at] ?? end) : at + 1
    }
  }
}

function writeWhole(writer: Writer, node: Node, fact: number, around: Around): void {
  const { pen, tree } = writer
  const { marks, link, target } = around
  const label = (fact & isNote) !== 0 ? writer.notes.get(node) : undefined
  if (label !== undefined && (fact & isBlock) === 0) putRaw(pen, `[^${label}]`, marks & ~linkMark, none, '')
  else if ((fact & isFormula) !== 0) {
    const tex = formula(tree, node)
    if (tex.isTex) putRaw(pen, `$${tex.text}$`, marks, link, target)
    else putWords(writer, tex.text, around)
  } else writeBlockInLine(writer, node, around)
}

function children(writer: Writer, node: Node, around: Around): void {
  writeInline(writer, node + 1, writer.tree.ends[node] ?? 0, around)
}

type WriteElement = (writer: Writer, node: Node, around: Around) => void

const marked =
  (mark: number): WriteElement =>
  (writer, node, around) =>
    children(writer, node, { ...around, marks: around.marks | (mark & ~writer.idleMarks) })

const elementWriters = writersByTag([
  [[tag.a], writeLink],
  [[tag.b, tag.strong], marked(strong)],
  [[tag.i, tag.em], marked(emphasis)],
  [[tag.s, tag.del, tag.strike], marked(struck)],
  [[tag.code, tag.kbd, tag.samp, tag.tt], writeCode],
  [[tag.br], (writer, _, around) => addBreak(writer.pen, around.link !== none)],
  [[tag.img], (writer, node, around) => putIfAny(writer, imageText(writer, node), around)],
  [[tag.audio, tag.video], writeMedia],
  [[tag.input], writeCheckbox],
  [[tag.button], writeButton],
  [[tag.label], spaced],
  [[tag.q], (writer, node, around) => between(writer, '“', node, around, '”')],
  [[tag.rt], (writer, node, around) => between(writer, ' (', node, around, ')')],
  [[tag.sup], writeRaised],
])

function writersByTag(pairs: [number[], WriteElement][]): (WriteElement | undefined)[] {
  const writers = new Array<WriteElement | undefined>(listedTags.length).fill(undefined)
  for (const [names, write] of pairs) for (const name of names) writers[name] = write
  return writers
}

function putIfAny(writer: Writer, text: string, { marks, link, target }: Around): void {
  if (text !== '') putRaw(writer.pen, text, marks, link, target)
}

function writeLink(writer: Writer, node: Node, around: Around): void {
  const target = targetOfLink(writer, node)
  if (target === '') {
    children(writer, node, around)
    return
  }
  if (isPermalinkTo(writer, node, target)) return
  const { pen, tree } = writer
  const { puts } = pen
  const escapesBrackets = hasUnevenBrackets(tree, node)
  const linked = { marks: around.marks | linkMark, link: node, target, escapesBrackets }
  children(writer, node, linked)
  if (pen.puts > puts) return
  const label = attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title)
  if (label) putWords(writer, label, linked)
}

/** The parts of one code element are one span, however they are coloured; links cut it in pieces. */
function writeCode(writer: Writer, node: Node, around: Around): void {
  const { tree, facts } = writer
  const end = tree.ends[node] ?? 0
  let text = ''
  let at = node + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    if (name === 0 && ((facts[at] ?? 0) & isSilent) === 0) text += textOf(tree, at)
    if (name === tag.br) text += ' '
    const target = name === tag.a && around.link === none ? targetOfLink(writer, at) : ''
    if (target !== '') {
      putSpan(writer, text, around)
      text = ''
      writeCode(writer, at, { marks: around.marks | linkMark, link: at, target, escapesBrackets: false })
    } else if (name === tag.img) putIfAny(writer, imageText(writer, at), around)
    const isPassed = target !== '' || ((facts[at] ?? 0) & isSilent) !== 0
    at = isPassed ? (tree.ends[at] ?? end) : at + 1
  }
  putSpan(writer, text, around)
}

function putSpan({ pen }: Writer, raw: string, { marks, link, target }: Around): void {
  const text = collapsed(raw)
  const code = text.trim()
  if (text.startsWith(' ')) pen.hasSpace = true
  if (code !== '') putCode(pen, code, marks, link, target)
  if (text.endsWith(' ')) pen.hasSpace = true
}

function writeCheckbox(writer: Writer, node: Node, { marks, link, target }: Around): void {
  if (!isFirstInItem(writer, node)) return
  putRaw(writer.pen, hasAttribute(writer.tree, node, attr.checked) ? '[x]' : '[ ]', marks, link, target)
  writer.pen.hasSpace = true
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

function writeMedia(writer: Writer, node: Node, around: Around): void {
  writer.pen.hasSpace = true
  putIfAny(writer, around.link === none ? mediaText(writer, node) : '', around)
  writer.pen.hasSpace = true
}

/** Beside a listing a button to copy it says nothing. */
function writeButton(writer: Writer, node: Node, around: Around): void {
  const text = beginningOf(writer.tree, node, 40)
  if (!/^\s*(?:copy|copied)\b.{0,20}$/is.test(text)) spaced(writer, node, around)
}

function spaced(writer: Writer, node: Node, around: Around): void {
  writer.pen.hasSpace = true
  children(writer, node, around)
  writer.pen.hasSpace = true
}

function between(writer: Writer, open: string, node: Node, around: Around, close: string): void {
  putWords(writer, open, around)
  children(writer, node, around)
  putWords(writer, close, around)
}

/** "10" and a raised "6" must not read as 106. */
function writeRaised(writer: Writer, node: Node, around: Around): void {
  const { last, hasSpace, breaks } = writer.pen
  const isAfterDigit = last >= 48 && last <= 57 && !hasSpace && breaks === 0
  if (isAfterDigit && /^\s*[-+−]?\d/.test(beginningOf(writer.tree, node, 20))) putWords(writer, '^', around)
  children(writer, node, around)
}

/** A block where only a line is possible, as in a heading or a table cell. */
function writeBlockInLine(writer: Writer, node: Node, around: Around): void {
  const { tree, pen } = writer
  const name = tree.tags[node] ?? 0
  const write = elementWriters[name]
  if (write) {
    write(writer, node, around)
    return
  }
  addBreak(pen, around.link !== none)
  if (name === tag.iframe) putIfAny(writer, frameText(writer, node), around)
  else if (name === tag.pre) writeListingInLine(writer, node, around)
  else {
    if (name === tag.li) {
      putWords(writer, '-', around)
      pen.hasSpace = true
    }
    children(writer, node, around)
  }
  addBreak(pen, around.link !== none)
}

function writeListingInLine(writer: Writer, node: Node, around: Around): void {
  for (const line of listingText(writer, node).split('\n')) {
    putSpan(writer, line, around)
    addBreak(writer.pen, around.link !== none)
  }
}
