import { tag } from '../tree/names.ts'
import { endOf, findNode, type Node, none, textAt } from '../tree/tree.ts'
import { beginningOf } from './code.ts'
import type { InlineWriter, SurroundingText } from './inline-writer.ts'
import { targetOfLink } from './link.ts'
import type { Writer } from './writer.ts'

const noMarkers = { open: '', close: '' }

/** Maximum length of an exponent, index or note marker; longer text is only styled as raised or lowered. */
const maxScriptLength = 12

/** Prevents "10" and a raised "6" from becoming 106. Parsers leave the markers in the text, unlike tags. */
export function getScriptMarkers(writer: Writer, node: Node, { marks }: SurroundingText) {
  const { tree, inline } = writer
  const text = beginningOf(tree, node, maxScriptLength + 1).trim()
  if (text === '' || text.length > maxScriptLength || inline.last === 0 || inline.breaks > 0) return noMarkers
  const end = endOf(tree, node)
  const next = tree.tags[end] === 0 && end < tree.count ? textAt(tree, end).charAt(0) : ''
  const isRaised = tree.tags[node] === tag.sup
  if (/[⁄/]/.test(next) || inline.last === 0x2044 || inline.last === 47) return noMarkers
  const isLink = (at: Node) => tree.tags[at] === tag.a && targetOfLink(writer, at) !== ''
  if (findNode(node + 1, Math.min(end, node + maxScriptNodes), isLink) !== none) return noMarkers
  const needsMarker = isRaised
    ? needsSuperscriptMarker(inline, text)
    : needsSubscriptMarker(writer, node, text)
  if (!needsMarker) return noMarkers
  const isPlain = /^[-+−]?[\p{L}\p{N}]+$|^\d+(?:, ?\d+)+$/u.test(text) && !/[\p{L}\p{N}]/u.test(next)
  // After closing formatting, an underscore might open new formatting.
  const marker = isRaised ? '^' : inline.marks === marks ? '_' : '\\_'
  return isPlain ? { open: marker, close: '' } : { open: `${marker}{`, close: '}' }
}

function needsSuperscriptMarker(inline: InlineWriter, text: string): boolean {
  if (inline.hasSpace) return /^\d+$/.test(text)
  if (/^[-+−]?\d/.test(text) || /^[-+−]\p{L}/u.test(text)) return true
  if (inline.last < 128 && !/[\w)]/.test(String.fromCharCode(inline.last))) return false
  return /^(?:[bcf-npqs-zNT]$|\p{L}[-+−]\S)/u.test(text)
}

/** Returns true if a subscript needs a marker. A number in a chemical formula is readable without one. */
function needsSubscriptMarker({ tree, inline }: Writer, node: Node, text: string): boolean {
  // Elsewhere an underscore may open formatting.
  const isInWord =
    isWord(inline.last) && !inline.hasSpace && inline.code === '' && /^[\p{L}\p{N}]/u.test(text)
  if (!isInWord) return false
  // Read the source and not the output, because reading the output would flatten its string each time.
  const before =
    tree.tags[node - 1] === 0 ? textAt(tree, node - 1).slice(-2) : String.fromCharCode(inline.last)
  return !(/[A-Z][a-z]?$/.test(before) && /^\d+$/.test(text))
}

const isWord = (code: number) => /[\p{L}\p{N}]/u.test(String.fromCharCode(code))
const maxScriptNodes = 40
