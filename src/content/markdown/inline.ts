import { attr, listedTags, tag } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  classOf,
  endOf,
  findChild,
  hasAttribute,
  isBlankText,
  type Node,
  none,
  type Tree,
  textOf,
} from '../tree/tree.ts'
import { isControl } from './code.ts'
import {
  blockBit,
  classifierBit,
  codeSpanBit,
  formulaBit,
  isCustom,
  italicBit,
  noteBit,
  signatureBit,
  silentBit,
  standaloneBlockBit,
} from './facts.ts'
import {
  addBreak,
  emphasis,
  link as linkMark,
  putCode,
  putRaw,
  type SurroundingText,
  strikethrough,
  strong,
} from './inline-writer.ts'
import { hasUnevenBrackets, isPermalinkTo, isSourceLink, targetOfLink } from './link.ts'
import { readCodeBlock, renderSignatureLine } from './listing.ts'
import { formula, renderFrame, renderImage, renderMedia } from './media.ts'
import { collapseSpace, hasText } from './scan.ts'
import { getScriptMarkers } from './superscript.ts'
import { isSeparatedFrom, putText, putWords, separableTags } from './text.ts'
import type { Writer } from './writer.ts'

/** Writes a large image as a separate paragraph. Images never get bold or italic formatting. */
function putImage(writer: Writer, image: Node, context: SurroundingText): void {
  const text = renderImage(writer, image)
  if (text === '') return
  const { inline, tree } = writer
  const isAlone =
    inline.style === 'lines' && isBlockImage(tree, image) && !isInLinkedText(writer, image, context.link)
  if (isAlone) inline.breaks = 2
  putRaw(inline, text, { ...context, marks: context.marks & linkMark })
  if (isAlone) inline.breaks = 2
}

const minBlockWidth = 300
const blockImageNames = /(?:^|\s)(?:size-(?:large|full|medium_large)|aligncenter)(?:\s|$)/

function isBlockImage(tree: Tree, image: Node): boolean {
  const width = attribute(tree, image, attr.width)
  if (width !== undefined && /^\d{1,5}(?:px)?$/.test(width))
    return Number.parseInt(width, 10) >= minBlockWidth
  if (blockImageNames.test(classOf(tree, image) ?? '')) return true
  return /(?:^|[;\s])display:\s?block/i.test(attributeNamed(tree, image, 'style') ?? '')
}

const maxLinkNodes = 20

/** Returns true if the image is in a link with text or several images, which a paragraph break would split. */
function isInLinkedText({ tree, facts }: Writer, image: Node, link: Node): boolean {
  if (link === none) return false
  const isInLink = tree.tags[link] === tag.a && link < image && endOf(tree, link) > image
  const end = endOf(tree, link)
  if (!isInLink || end - link > maxLinkNodes || hasText(tree, facts, link + 1, end)) return true
  for (let at = link + 1; at < end; at += 1) if (at !== image && tree.tags[at] === tag.img) return true
  return false
}

const cellIndent = '&nbsp;&nbsp;'
const maxIndents = 8

function countOuterLists(tree: Tree, list: Node): number {
  let lists = 0
  for (let at = tree.parents[list] ?? 0; at > 0 && lists < maxIndents; at = tree.parents[at] ?? 0) {
    const name = tree.tags[at] ?? 0
    if (name === tag.td || name === tag.th) break
    if (name === tag.ul || name === tag.ol) lists += 1
  }
  return lists
}

const specialBits =
  blockBit | formulaBit | noteBit | classifierBit | standaloneBlockBit | codeSpanBit | italicBit

/** Elements without special handling are traversed like their children, so only few need a recursive call. */
export function writeInline(writer: Writer, from: Node, end: Node, context: SurroundingText): void {
  const { tree, facts } = writer
  const { tags, ends } = tree
  let customEnd = none
  let lastPiece = none
  let lastPieceEnd = none
  let at = from
  while (at < end) {
    const name = tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & silentBit) !== 0) at = ends[at] ?? end
    else if (name === 0) {
      putText(writer, at, context)
      at += 1
    } else if ((fact & specialBits) !== 0) {
      writeSpecial(writer, at, fact, context)
      at = ends[at] ?? end
    } else if (isCustom(name)) {
      // Custom elements are separated by a space, because only their tags separate their text.
      if (at === customEnd) writer.inline.hasSpace = true
      customEnd = ends[at] ?? end
      at += 1
    } else {
      if (separableTags[name] === 1) {
        if (at === lastPieceEnd && isSeparatedFrom(writer, lastPiece, at)) writer.inline.hasSpace = true
        lastPiece = at
        lastPieceEnd = ends[at] ?? end
      }
      const write = elementWriters[name]
      if (write) write(writer, at, context)
      at = write ? (ends[at] ?? end) : at + 1
    }
  }
}

function writeSpecial(writer: Writer, node: Node, fact: number, context: SurroundingText): void {
  const { inline, tree } = writer
  const label = (fact & noteBit) !== 0 ? writer.notes.labels.get(node) : undefined
  if (label !== undefined && (fact & blockBit) === 0)
    putRaw(inline, `[^${label}]`, { ...context, marks: context.marks & ~linkMark, link: none, target: '' })
  else if ((fact & formulaBit) !== 0) {
    const tex = formula(tree, node)
    if (tex.isTex) putRaw(inline, `$${tex.text}$`, context)
    else putWords(writer, tex.text, context)
  } else if ((fact & classifierBit) !== 0) {
    if (inline.last !== 0 && inline.last !== colon) putWords(writer, ' : ', context)
    writeChildren(writer, node, context)
  } else if ((fact & (standaloneBlockBit | blockBit)) === standaloneBlockBit)
    writeSpaced(writer, node, context)
  else if ((fact & (codeSpanBit | blockBit)) === codeSpanBit) writeCode(writer, node, context)
  else if ((fact & (italicBit | blockBit)) === italicBit) writeMarked(emphasis)(writer, node, context)
  else writeBlockInLine(writer, node, context)
}

const colon = 58

function writeChildren(writer: Writer, node: Node, context: SurroundingText): void {
  writeInline(writer, node + 1, writer.tree.ends[node] ?? 0, context)
}

type ElementWriter = typeof writeChildren

const writeMarked =
  (mark: number): ElementWriter =>
  (writer, node, context) =>
    writeChildren(writer, node, {
      ...context,
      marks: context.marks | (writer.isInHeading ? mark & ~strong : mark),
    })

const elementWriters = new Array<ElementWriter | undefined>(listedTags.length).fill(undefined)
const writersOfTags: [number[], ElementWriter][] = [
  [[tag.a], writeLink],
  [[tag.b, tag.strong], writeMarked(strong)],
  [[tag.i, tag.em, tag.var, tag.dfn], writeMarked(emphasis)],
  [[tag.s, tag.del, tag.strike], writeMarked(strikethrough)],
  [[tag.code, tag.kbd, tag.samp, tag.tt], writeCode],
  [[tag.br], (writer, _, context) => addBreak(writer.inline, context.link !== none)],
  [[tag.img], putImage],
  [[tag.audio, tag.video], writeMedia],
  [[tag.input], writeCheckbox],
  [[tag.button], writeButton],
  [[tag.label], writeSpaced],
  [[tag.q], (writer, node, context) => writeBetween(writer, ['“', '”'], node, context)],
  [[tag.rt], (writer, node, context) => writeBetween(writer, [' (', ')'], node, context)],
  [[tag.sub, tag.sup], writeScript],
]
for (const [names, write] of writersOfTags) for (const name of names) elementWriters[name] = write

function putIfNotEmpty(writer: Writer, text: string, context: SurroundingText): void {
  if (text !== '') putRaw(writer.inline, text, context)
}

const isSameOrigin = ({ page }: Writer, target: string) => target.startsWith(`${URL.parse(page)?.origin}/`)

function writeLink(writer: Writer, node: Node, context: SurroundingText): void {
  const target = targetOfLink(writer, node)
  if (target === '') {
    writeChildren(writer, node, context)
    return
  }
  if (isPermalinkTo(writer, node, target)) return
  if (writer.isInHeading && writer.inline.last !== 0 && isSourceLink(writer.tree, node)) return
  const isSelfLink = target.startsWith(writer.page) || (writer.isInTitle && isSameOrigin(writer, target))
  if (writer.isInHeading && isSelfLink) {
    writeChildren(writer, node, context)
    return
  }
  const { inline, tree } = writer
  const { writeCount } = inline
  const escapesBrackets = hasUnevenBrackets(tree, node)
  const linked = { marks: context.marks | linkMark, link: node, target, escapesBrackets }
  writeChildren(writer, node, linked)
  if (inline.writeCount > writeCount || writer.isInHeading) return
  const label = attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title)
  if (label) putWords(writer, label, linked)
}

/** Ignores syntax highlighting. Links split the code into several spans. */
function writeCode(writer: Writer, node: Node, context: SurroundingText): void {
  const { tree, facts } = writer
  const end = tree.ends[node] ?? 0
  let text = ''
  let at = node + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    if (name === 0 && ((facts[at] ?? 0) & silentBit) === 0) text += textOf(tree, at)
    if (name === tag.br) {
      putSpan(writer, text, context)
      addBreak(writer.inline, context.link !== none)
      text = ''
    }
    const target = name === tag.a && context.link === none ? targetOfLink(writer, at) : ''
    if (target !== '') {
      putSpan(writer, text, context)
      text = ''
      writeCode(writer, at, { marks: context.marks | linkMark, link: at, target, escapesBrackets: false })
    } else if (name === tag.img) putImage(writer, at, context)
    const isDone = target !== '' || ((facts[at] ?? 0) & silentBit) !== 0
    at = isDone ? (tree.ends[at] ?? end) : at + 1
  }
  putSpan(writer, text, context)
}

function putSpan({ inline }: Writer, raw: string, context: SurroundingText): void {
  const text = collapseSpace(raw)
  const code = text.trim()
  if (text.startsWith(' ')) inline.hasSpace = true
  if (code !== '') putCode(inline, code, context)
  if (text.endsWith(' ')) inline.hasSpace = true
}

function writeCheckbox(writer: Writer, node: Node, context: SurroundingText): void {
  if (!isFirstInItem(writer, node)) return
  putRaw(writer.inline, hasAttribute(writer.tree, node, attr.checked) ? '[x]' : '[ ]', context)
  writer.inline.hasSpace = true
}

function isFirstInItem({ tree }: Writer, checkbox: Node): boolean {
  for (let at = checkbox - 1; at > 0; at -= 1) {
    if (tree.tags[at] === tag.li) return (tree.ends[at] ?? 0) > checkbox
    if (tree.tags[at] === 0 && textOf(tree, at).trim() !== '') return false
    if (tree.tags[at] !== 0 && (tree.ends[at] ?? 0) <= checkbox) return false
  }
  return false
}

function writeMedia(writer: Writer, node: Node, context: SurroundingText): void {
  writer.inline.hasSpace = true
  putIfNotEmpty(writer, context.link === none ? renderMedia(writer, node) : '', context)
  writer.inline.hasSpace = true
}

function writeButton(writer: Writer, node: Node, context: SurroundingText): void {
  if (!isControl(writer.tree, node)) writeSpaced(writer, node, context)
}

function writeSpaced(writer: Writer, node: Node, context: SurroundingText): void {
  writer.inline.hasSpace = true
  writeChildren(writer, node, context)
  writer.inline.hasSpace = true
}

type Marks = [open: string, close: string]

function writeBetween(writer: Writer, [open, close]: Marks, node: Node, context: SurroundingText): void {
  putWords(writer, open, context)
  writeChildren(writer, node, context)
  putWords(writer, close, context)
}

function writeScript(writer: Writer, node: Node, context: SurroundingText): void {
  const { open, close } = getScriptMarkers(writer, node, context)
  putIfNotEmpty(writer, open, context)
  writeChildren(writer, node, context)
  putIfNotEmpty(writer, close, context)
}

function writeBlockInLine(writer: Writer, node: Node, context: SurroundingText): void {
  const { tree, facts, inline } = writer
  const name = tree.tags[node] ?? 0
  const write = elementWriters[name]
  if (write) {
    write(writer, node, context)
    return
  }
  addBreak(inline, context.link !== none)
  const label = writer.labels.get(node)
  if (label !== undefined) {
    writeChildren(writer, label, { ...context, marks: context.marks | strong })
    addBreak(inline, context.link !== none)
  }
  if (name === tag.iframe) putIfNotEmpty(writer, renderFrame(writer, node), context)
  else if (name === tag.pre) writeListingInLine(writer, node, context)
  else if (((facts[node] ?? 0) & signatureBit) !== 0)
    putSpan(writer, renderSignatureLine(writer, node), context)
  else if (name === tag.ul || name === tag.ol) writeListInLine(writer, node, context)
  else writeChildren(writer, node, context)
  addBreak(inline, context.link !== none)
}

function writeListInLine(writer: Writer, node: Node, context: SurroundingText): void {
  const { tree, facts, inline } = writer
  const end = tree.ends[node] ?? 0
  const indent = inline.style === 'tags' ? cellIndent.repeat(countOuterLists(tree, node)) : ''
  let number = Number.parseInt(attribute(tree, node, attr.start) ?? '1', 10) || 1
  for (let at = node + 1; at < end; at = tree.ends[at] ?? end) {
    const isItem = tree.tags[at] === tag.li && ((facts[at] ?? 0) & silentBit) === 0
    const first = isItem ? (tree.tags[findChild(tree, at, (part) => !isBlankText(tree, part))] ?? tag.ul) : 0
    if (
      isItem &&
      first !== tag.ul &&
      first !== tag.ol &&
      hasText(tree, facts, at + 1, tree.ends[at] ?? end)
    ) {
      addBreak(inline, context.link !== none)
      putRaw(inline, `${indent}${tree.tags[node] === tag.ol ? `${number}.` : '-'}`, context)
      inline.hasSpace = true
      inline.isAfterBullet = true
      number += 1
    }
    if (isItem) writeChildren(writer, at, context)
    else writeInline(writer, at, tree.ends[at] ?? end, context)
  }
}

function writeListingInLine(writer: Writer, node: Node, context: SurroundingText): void {
  const { inline } = writer
  const lines = readCodeBlock(writer, node).split('\n')
  for (const line of lines) {
    const code = lines.length > 1 ? line.trimEnd() : line.trim()
    if (code !== '') putCode(inline, code, context)
    addBreak(inline, context.link !== none)
  }
}
