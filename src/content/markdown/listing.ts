import { tag, tagSet } from '../tree/names.ts'
import {
  classOf,
  endOf,
  findNode,
  findTag,
  isBlankText,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
  textOf,
} from '../tree/tree.ts'
import { beginningOf, codeSpan, fenced } from './code.ts'
import { escapeText, plainContext } from './escape.ts'
import { blockBit, silentBit } from './facts.ts'
import { getCodeLanguage, inferLanguage } from './language.ts'
import { isPermalinkTo, isSourceLink, targetOfLink } from './link.ts'
import type { Writer } from './writer.ts'

export function listing(writer: Writer, pre: Node): string {
  const text = readCodeBlock(writer, pre)
  if (text.trim() === '' || isLineNumbers(writer.tree, pre, text)) return ''
  const language = getCodeLanguage(writer.tree, pre)
  return fenced(text, language || inferLanguage(writer.tree, pre, text, () => getSiteLanguage(writer)))
}

export function readCodeBlock(writer: Writer, pre: Node): string {
  const { tree } = writer
  ignoreNumbers(writer, pre)
  const end = endOf(tree, pre)
  const code = findTag(tree, tag.code, pre + 1, end)
  const hasCodeLines = code !== none && findTag(tree, tag.code, code + 1, end) !== none
  const isPlain = plainTags[tree.tags[pre] ?? 0] === 1
  const allText = collectText(writer, pre, hasCodeLines, isPlain)
  const codeText = code === none || hasCodeLines ? '' : collectText(writer, code, false, isPlain)
  return codeText.length * 2 > allText.length ? codeText : allText
}

const plainTags = tagSet('div table')

interface Collection {
  text: string
  endsLine: boolean
  hasCodeLines: boolean
  /** True outside `pre`, where a line break between two elements is not shown. */
  isPlain: boolean
  depth: number
}

function collectText(writer: Writer, node: Node, hasCodeLines: boolean, isPlain: boolean): string {
  const { tree } = writer
  const collection = { text: '', endsLine: true, hasCodeLines, isPlain, depth: 0 }
  collect(writer, node + 1, endOf(tree, node), collection)
  return removeEmptyEnds(collection.text)
}

function removeEmptyEnds(text: string): string {
  let start = 0
  for (let at = 0; at < text.length && isSpace(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) === 10) start = at + 1
  }
  let end = text.length
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  // White space after the last word of a line is part of the line.
  const lineEnd = text.indexOf('\n', end)
  if (lineEnd === -1) return text.slice(start)
  return removeIndent(text.slice(start, lineEnd), text.slice(text.lastIndexOf('\n') + 1))
}

/** If the last line is only an indent, as in a Java comment, all other lines begin with it. */
function removeIndent(text: string, indent: string): string {
  if (indent === '') return text
  const lines = text.split('\n')
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === '')) return text
  return lines.map((line) => line.slice(indent.length)).join('\n')
}

const isSpace = (code: number) => code === 10 || code === 32 || code === 9

// The parser bounds the depth of a tree, so recursion is safe.
function collect(writer: Writer, from: Node, end: Node, collection: Collection): void {
  const { tree, facts } = writer
  let lineEnd = -1
  let at = from
  while (at < end) {
    const name = tree.tags[at] ?? 0
    const next = endOf(tree, at)
    if (isIgnored(tree, facts, at)) {
      at = next
      continue
    }
    if (name === 0) addText(collection, textAt(tree, at))
    else if (name === tag.br) add(collection, '\n')
    else if (name === tag.ul && collection.isPlain) {
      collection.depth += 1
      collect(writer, at + 1, next, collection)
      collection.depth -= 1
      at = next
      continue
    } else if (isLine(tree, at, lineEnd, collection.hasCodeLines)) {
      lineEnd = next
      if (!collection.endsLine) add(collection, '\n')
      const { length } = collection.text
      collect(writer, at + 1, next, collection)
      const hasNumber = at + 1 < next && ((facts[at + 1] ?? 0) & silentBit) !== 0
      if (collection.text.length === length && (hasNumber || isLineSpan(tree, at))) add(collection, '\n')
      if (!collection.endsLine) add(collection, '\n')
      at = next
      continue
    }
    at += 1
  }
}

function isIgnored(tree: Tree, facts: Uint16Array, node: Node): boolean {
  if (((facts[node] ?? 0) & silentBit) !== 0 || tree.tags[node] === tag.button) return true
  const name = classOf(tree, node)
  return name === 'ln' || name === tooltip
}

/** Class of Doxygen tooltips, which follow the lines of a listing as if they were lines. */
export const tooltip = 'ttc'

function addText(collection: Collection, text: string): void {
  const isBetweenLines = collection.isPlain && collection.endsLine && text.includes('\n')
  if (isBetweenLines && text.trim() === '') return
  if (collection.endsLine && collection.depth > 0) add(collection, '  '.repeat(collection.depth))
  add(collection, collection.isPlain ? text.replaceAll('\u00a0', ' ') : text)
}

function add(collection: Collection, text: string): void {
  if (text === '') return
  collection.text += text
  collection.endsLine = text.charCodeAt(text.length - 1) === 10
}

const lineTags = tagSet('div p li tr pre')

/** Returns true if an element is a line. Some highlighters create an element per line and omit the line breaks. */
function isLine(tree: Tree, node: Node, lineEnd: Node, hasCodeLines: boolean): boolean {
  const name = tree.tags[node] ?? 0
  if (lineTags[name] === 1) return true
  const isLineElement = hasCodeLines && name === tag.code ? () => true : (at: Node) => isLineSpan(tree, at)
  if (!isLineElement(node)) return false
  const next = endOf(tree, node)
  const isSibling = parentOf(tree, next) === parentOf(tree, node)
  return node === lineEnd || (isSibling && tree.tags[next] === name && isLineElement(next))
}

function isLineSpan(tree: Tree, node: Node): boolean {
  const name = classOf(tree, node)
  return name !== undefined && /(?:^|\s)(?:code-|view-|cm-|token-)?line(?:\s|$)/.test(name)
}

function ignoreNumbers({ tree, facts }: Writer, pre: Node): void {
  const numbers: Node[] = []
  const end = endOf(tree, pre)
  let expected = Number.NaN
  for (let at = pre + 1; at < end; at += 1) {
    if (lineTags[tree.tags[at] ?? 0] !== 1 && !isLineSpan(tree, at)) continue
    const first = at + 1
    if (first >= endOf(tree, at) || tree.tags[first] === 0) continue
    const text = beginningOf(tree, first, 12).trim()
    if (!/^\d{1,6}$/.test(text)) continue
    if (numbers.length > 0 && Number(text) !== expected) return
    expected = Number(text) + 1
    numbers.push(first)
  }
  if (numbers.length < 2) return
  for (const node of numbers) facts[node] = silentBit
}

function isLineNumbers(tree: Tree, pre: Node, text: string): boolean {
  const lines = text.trim().split(/\s+/)
  if (!lines.every((line, index) => line === String(Number(lines[0]) + index))) return false
  if (lines.length > 1 && isBeforeListing(tree, pre)) return true
  let cell = parentOf(tree, pre)
  for (let steps = 0; steps < 3 && cell > 0 && tree.tags[cell] !== tag.td; steps += 1)
    cell = parentOf(tree, cell)
  if (tree.tags[cell] !== tag.td) return false
  return findTag(tree, tag.pre, endOf(tree, cell), endOf(tree, parentOf(tree, cell))) !== none
}

function isBeforeListing(tree: Tree, pre: Node): boolean {
  let next = endOf(tree, pre)
  if (isBlankText(tree, next)) next += 1
  return tree.tags[next] === tag.pre && parentOf(tree, next) === parentOf(tree, pre)
}

/** Returns a declaration as one line, because links and highlighting inside would split it. */
export const renderSignatureLine = (writer: Writer, node: Node) => toOneLine(readSignature(writer, node))

function toOneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([([]) | (?=[)\],])/g, '$1')
    .replace(/^\s*:\s+/, '')
    .trim()
}

/** Returns a declaration as code. A preceding category, as in "Function: abs (x)", is not part of the code. */
export function declaration(writer: Writer, node: Node): string {
  const { tree } = writer
  const category = findNode(
    node + 1,
    endOf(tree, node),
    (at) => tree.tags[at] === tag.span && categoryNames.test(classOf(tree, at) ?? ''),
  )
  if (category === none) return toCodeSpan(renderSignatureLine(writer, node))
  const kind = escapeText(toOneLine(textOf(tree, category)).replace(/^:$/, ''), plainContext)
  const declarations = readSignature(writer, node, category).split('\n').map(toOneLine)
  const code = declarations.filter((form) => form !== '').map(toCodeSpan)
  return [kind, code.join(', ')].filter((part) => part !== '').join(' ')
}

const toCodeSpan = (text: string) => (text === '' ? '' : codeSpan(text))

const categoryNames = /(?:^|\s)category(?:-def)?(?:\s|$)/

export function renderSignatureListing(writer: Writer, node: Node): string {
  const { tree } = writer
  const isTable = tree.tags[node] === tag.table
  const text = isTable ? renderSignatureLine(writer, node) : readSignature(writer, node)
  const lines = text.split('\n').map((line) => line.trimEnd())
  const code = lines.filter(Boolean).join('\n').trim()
  if (code === '') return ''
  return fenced(code, getSignatureLanguage(writer, node, code))
}

const languagesByClass: [RegExp, string][] = [
  [/(?:^|\s)(?:member|type)-signature(?:\s|$)/, 'java'],
  [/(?:^|\s)tsd-signature(?:\s|$)/, 'typescript'],
  [/(?:^|\s)dc-description(?:\s|$)/, 'php'],
  [/(?:^|\s)funcprototype-table(?:\s|$)/, 'c'],
]

function getSignatureLanguage(writer: Writer, node: Node, code: string): string {
  const classes = classOf(writer.tree, node) ?? ''
  if (/(?:^|\s)memname(?:\s|$)/.test(classes) && code.startsWith('def ')) return 'python'
  return languagesByClass.find(([name]) => name.test(classes))?.[1] ?? getSiteLanguage(writer)
}

export function isLinkedDeclaration(writer: Writer, heading: Node): boolean {
  const { tree } = writer
  const end = endOf(tree, heading)
  let links = 0
  for (let at = heading + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.a && !targetOfLink(writer, at).startsWith(writer.page)) links += 1
  }
  return links > 1 && /^[^.!?]*\w ?\([^()]*\)[^.!?]{0,80}$/.test(renderSignatureLine(writer, heading))
}

const cellTags = tagSet('td th')

function readSignature(writer: Writer, node: Node, excluded: Node = none): string {
  const { tree, facts } = writer
  const end = endOf(tree, node)
  let text = ''
  let at = node + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & silentBit) !== 0 || at === excluded || (name === tag.a && isAuxiliaryLink(writer, at))) {
      at = endOf(tree, at)
      continue
    }
    if (name === 0) text += textAt(tree, at)
    else if (cellTags[name] === 1) text += ' '
    else if (name === tag.br || (fact & blockBit) !== 0) text += '\n'
    at += 1
  }
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, '').replaceAll('\u00a0', ' ')
}

function isAuxiliaryLink(writer: Writer, anchor: Node): boolean {
  const target = targetOfLink(writer, anchor)
  return target !== '' && (isPermalinkTo(writer, anchor, target) || isSourceLink(writer.tree, anchor))
}

const headLength = 6000

/** Listings have the language that the generator documents, unless their text contradicts. */
const generatorLanguages: [RegExp, string][] = [
  [/Generated by groovydoc/i, 'groovy'],
  [/content=["']?javadoc\/|Generated by javadoc/i, 'java'],
  [/content=["']?rustdoc\b/i, 'rust'],
  [/haddock-(?:bundle|util)\b/i, 'haskell'],
  [/\brdoc_rel_prefix\b|\/darkfish\.js|content=["']?RDoc\b/i, 'ruby'],
  [/content=["']?Doxygen\b/i, 'cpp'],
  [/content=["']?(?:GTK-Doc|gi-docgen)\b/i, 'c'],
  [/content=["']?pdoc\b/i, 'python'],
  [/content=["']?ExDoc\b/i, 'elixir'],
  [/content=["']?scaladoc\b|\/scaladoc\.(?:js|css)/i, 'scala'],
  [/content=["']?godoc\b|\/godocs\.js/i, 'go'],
]

function getSiteLanguage(writer: Writer): string {
  const isMarked = ([mark]: [RegExp, string]) => mark.test(writer.tree.html.slice(0, headLength))
  writer.siteLanguage ??= generatorLanguages.find(isMarked)?.[1] ?? ''
  return writer.siteLanguage
}
