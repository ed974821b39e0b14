import { escapeAttribute, escapeText, escapeUTF8 } from 'entities'
import { lazy } from '../platform/functions.ts'
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

export function writeHtml(excerpt: Excerpt): string {
  const writer: Writer = { excerpt, html: '', isTagOpen: false, lastHolders: new Map() }
  if (excerpt.title !== none && !isWritten(excerpt, excerpt.title)) writeNode(writer, excerpt.title, 0)
  for (const node of excerpt.kept) writeNode(writer, node, 0)
  return writer.html.trim()
}

function isWritten({ tree, kept, skipped }: Excerpt, node: Node): boolean {
  const keptPart = kept.find((part) => part === node || isInside(tree, node, part))
  if (keptPart === undefined) return false
  for (let at = node; at > keptPart; at = parentOf(tree, at)) if (skipped[at] === 1) return false
  return skipped[keptPart] !== 1
}

interface Writer {
  excerpt: Excerpt
  html: string
  /** True if the last start tag is still open, because an empty SVG or MathML element is self-closing. */
  isTagOpen: boolean
  /** Last element that each attribute was written for: of a repeated name, the first attribute counts. */
  lastHolders: Map<string, Node>
}

type ParentTraits = number

const foreign = 1
const holdsHtml = 2
const holdsRawText = 4
const unwrittenTags = tagSet('base head link meta noscript script style template title')
const rawText = tagSet('iframe noembed noframes plaintext xmp')

// The parser bounds the depth of a tree, so recursion is safe.
function writeNode(writer: Writer, node: Node, traits: ParentTraits): void {
  const { tree, skipped, readsNoscript } = writer.excerpt
  if (skipped[node] === 1) return
  const id = tagOf(tree, node)
  if (id === 0) writeText(writer, textAt(tree, node), traits)
  else if (id === tag.noscript && readsNoscript) writeInside(writer, node, traits)
  else if (unwrittenTags[id] !== 1) writeElement(writer, node, id, traits)
}

function writeInside(writer: Writer, node: Node, traits: ParentTraits): void {
  const { tree } = writer.excerpt
  const end = endOf(tree, node)
  for (let child = node + 1; child < end; child = endOf(tree, child)) writeNode(writer, child, traits)
}

function writeText(writer: Writer, text: string, traits: ParentTraits): void {
  endStartTag(writer)
  if ((traits & foreign) !== 0) writer.html += splitIntoPieces(text, escapeUTF8)
  else writer.html += (traits & holdsRawText) !== 0 ? text : splitIntoPieces(text, escapeText)
}

function writeElement(writer: Writer, node: Node, id: number, traits: ParentTraits): void {
  endStartTag(writer)
  const isInForeign = (traits & foreign) !== 0
  const isForeign = (isInForeign && (traits & holdsHtml) === 0) || id === tag.svg || id === tag.math
  const lowerCaseName = tagName(writer.excerpt.tree, node)
  const name = isInForeign ? (foreignTags().get(lowerCaseName) ?? lowerCaseName) : lowerCaseName
  writer.html += `<${name}`
  writeAttributes(writer, node, id, isForeign)
  if (isForeign) writer.isTagOpen = true
  else writer.html += '>'
  writeInside(writer, node, traitsOf(id, isForeign))
  if (writer.isTagOpen) writer.html += '/>'
  else if (isForeign || voidElements[id] !== 1) writer.html += `</${name}>`
  writer.isTagOpen = false
}

function traitsOf(id: number, isForeign: boolean): ParentTraits {
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

function cleanValue({ tree, base }: Excerpt, node: Node, id: number, at: number): string | undefined {
  const value = attributeValue(tree, at)
  let url: string | undefined
  switch (tree.attributes.names[at]) {
    case attr.href:
      // In SVG, a `<use>` URL such as "#arrow" refers to an element of the same image.
      if (id !== tag.use) url = value
      break
    case attr.poster:
      url = value
      break
    case attr.src:
      url = id === tag.img ? imageSource(tree, node) : value
      break
    case attr.srcset:
      if (id === tag.img) return undefined
      url = largestCandidate(value)
  }
  return url === undefined ? value : (absoluteUrl(url, base) ?? url)
}

function writeAttribute(writer: Writer, name: string, value: string, isForeign: boolean): void {
  if (isForeign)
    writer.html += ` ${foreignAttributes().get(name) ?? name}="${splitIntoPieces(value, escapeUTF8)}"`
  else writer.html += value === '' ? ` ${name}` : ` ${name}="${splitIntoPieces(value, escapeAttribute)}"`
}

export type ForeignNames = Record<'tags' | 'attributes', string>

const names = jsonFile<ForeignNames>(new URL('./foreign-names.json', import.meta.url))

/** SVG and MathML names with capitals, by lower-case form, because XML is case-sensitive. */
const foreignTags = lazy(() => byLowerCase(names().tags))
const foreignAttributes = lazy(() => byLowerCase(names().attributes))

const byLowerCase = (names: string) => new Map(names.split(' ').map((name) => [name.toLowerCase(), name]))

const pieceLength = 64 * 1024

/** Converts a text in pieces, so that peak memory does not grow with the number of substrings. */
export function splitIntoPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= pieceLength) return change(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = change(text.slice(at, at + pieceLength))
    // A regular expression search flattens the rope string that the piece was built from.
    flattenPattern.test(piece)
    pieces.push(piece)
  }
  return pieces.join('')
}

const flattenPattern = /\0/
