import { escapeAttribute, escapeText, escapeUTF8 } from 'entities'
import { once } from '../platform/functions.ts'
import { jsonFile } from '../platform/json/json.ts'
import { absoluteUrl } from './addresses.ts'
import { iframeMarker } from './iframe-marker.ts'
import { imageSource, largestCandidate } from './image-source.ts'
import type { Excerpt } from './select-content.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import { integrationPoints, voidElements } from './tree/rules.ts'
import {
  attributeName,
  attributeValue,
  endOf,
  hasAttribute,
  isInside,
  type Node,
  none,
  parentOf,
  tagName,
  tagOf,
  textAt,
} from './tree/tree.ts'

/** An excerpt as HTML for readers: no code, no metadata, every address absolute. */
export function writeHtml(excerpt: Excerpt): string {
  const writer: Writer = { excerpt, html: '', isTagOpen: false, lastHolders: new Map() }
  if (excerpt.title !== none && !isWritten(excerpt, excerpt.title)) writeNode(writer, excerpt.title, 0)
  for (const node of excerpt.kept) writeNode(writer, node, 0)
  return writer.html.trim()
}

/** Whether a node is in a kept part, and no ancestor is removed. */
function isWritten({ tree, kept, skipped }: Excerpt, node: Node): boolean {
  const holder = kept.find((part) => part === node || isInside(tree, node, part))
  if (holder === undefined) return false
  for (let at = node; at > holder; at = parentOf(tree, at)) if (skipped[at] === 1) return false
  return skipped[holder] !== 1
}

interface Writer {
  excerpt: Excerpt
  html: string
  /** The last start tag is not yet ended, because an empty element of a drawing closes itself. */
  isTagOpen: boolean
  /** The last element that each attribute was written for, by name: of two with one name the first counts. */
  lastHolders: Map<string, Node>
}

/** What the element around a node means for how it is written: any of these, added. */
type ParentTraits = number

/** Drawings and formulas are written as XML. */
const foreign = 1
/** Elements in it are HTML again, though it is foreign itself. */
const holdsHtml = 2
const holdsRawText = 4

/** Neither code nor metadata is for readers. */
const unread = tagSet('base head link meta noscript script style template title')
const rawText = tagSet('iframe noembed noframes plaintext xmp')

// The parser bounds the depth of a tree, so recursion is safe here.
function writeNode(writer: Writer, node: Node, place: ParentTraits): void {
  const { tree, skipped, readsNoscript } = writer.excerpt
  if (skipped[node] === 1) return
  const id = tagOf(tree, node)
  if (id === 0) writeText(writer, textAt(tree, node), place)
  else if (id === tag.noscript && readsNoscript) writeInside(writer, node, place)
  else if (unread[id] !== 1) writeElement(writer, node, id, place)
}

function writeInside(writer: Writer, node: Node, place: ParentTraits): void {
  const { tree } = writer.excerpt
  const end = endOf(tree, node)
  for (let child = node + 1; child < end; child = endOf(tree, child)) writeNode(writer, child, place)
}

function writeText(writer: Writer, text: string, place: ParentTraits): void {
  endStartTag(writer)
  if ((place & foreign) !== 0) writer.html += splitIntoPieces(text, escapeUTF8)
  else writer.html += (place & holdsRawText) !== 0 ? text : splitIntoPieces(text, escapeText)
}

function writeElement(writer: Writer, node: Node, id: number, place: ParentTraits): void {
  endStartTag(writer)
  const isInForeign = (place & foreign) !== 0
  const isForeign = (isInForeign && (place & holdsHtml) === 0) || id === tag.svg || id === tag.math
  const lowered = tagName(writer.excerpt.tree, node)
  const name = isInForeign ? (foreignTags().get(lowered) ?? lowered) : lowered
  writer.html += `<${name}`
  writeAttributes(writer, node, id, isForeign)
  if (isForeign) writer.isTagOpen = true
  else writer.html += '>'
  writeInside(writer, node, placeIn(id, isForeign))
  if (writer.isTagOpen) writer.html += '/>'
  else if (isForeign || voidElements[id] !== 1) writer.html += `</${name}>`
  writer.isTagOpen = false
}

function placeIn(id: number, isForeign: boolean): ParentTraits {
  if (!isForeign) return rawText[id] === 1 ? holdsRawText : 0
  return integrationPoints[id] === 1 ? foreign + holdsHtml : foreign
}

function endStartTag(writer: Writer): void {
  if (!writer.isTagOpen) return
  writer.html += '>'
  writer.isTagOpen = false
}

function writeAttributes(writer: Writer, node: Node, id: number, isForeign: boolean): void {
  const { tree, base } = writer.excerpt
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = attributeName(tree, at)
    if (writer.lastHolders.get(name) === node || name === iframeMarker) continue
    writer.lastHolders.set(name, node)
    const value = cleanValue(writer.excerpt, node, id, at)
    if (value !== undefined) writeAttribute(writer, name, value, isForeign)
  }
  if (id !== tag.img || hasAttribute(tree, node, attr.src)) return
  const source = imageSource(tree, node)
  if (source !== undefined) writeAttribute(writer, 'src', absoluteUrl(source, base) ?? source, isForeign)
}

/** The needed part of a value; undefined for an attribute that is not needed. */
function cleanValue({ tree, base }: Excerpt, node: Node, id: number, at: number): string | undefined {
  const value = attributeValue(tree, at)
  let address: string | undefined
  switch (tree.attributes.names[at]) {
    case attr.href:
      // In a drawing an address such as "#arrow" names a part of the same drawing.
      if (id !== tag.use) address = value
      break
    case attr.poster:
      address = value
      break
    case attr.src:
      address = id === tag.img ? imageSource(tree, node) : value
      break
    case attr.srcset:
      if (id === tag.img) return undefined
      address = largestCandidate(value)
  }
  return address === undefined ? value : (absoluteUrl(address, base) ?? address)
}

function writeAttribute(writer: Writer, name: string, value: string, isForeign: boolean): void {
  if (isForeign)
    writer.html += ` ${foreignAttributes().get(name) ?? name}="${splitIntoPieces(value, escapeUTF8)}"`
  else writer.html += value === '' ? ` ${name}` : ` ${name}="${splitIntoPieces(value, escapeAttribute)}"`
}

/** Names separated by spaces. */
export interface ForeignNames {
  tags: string
  attributes: string
}

const names = jsonFile<ForeignNames>(new URL('./foreign-names.json', import.meta.url))

/**
 * Names in drawings and formulas that are written with capitals, by their lower case. HTML reads names without regard to case, but
 * XML, where drawings often end up, does not.
 */
const foreignTags = once(() => byLowerCase(names().tags))
const foreignAttributes = once(() => byLowerCase(names().attributes))

function byLowerCase(written: string): ReadonlyMap<string, string> {
  return new Map(written.split(' ').map((name) => [name.toLowerCase(), name]))
}

const pieceLength = 64 * 1024

/**
 * Changes a text of any length character by character: what it takes meanwhile does not grow with the text, as it would if
 * all of it were put together from millions of parts.
 */
export function splitIntoPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= pieceLength) return change(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = change(text.slice(at, at + pieceLength))
    // A search makes one text of the parts that a piece was put together from.
    searched.test(piece)
    pieces.push(piece)
  }
  return pieces.join('')
}

const searched = /\0/
