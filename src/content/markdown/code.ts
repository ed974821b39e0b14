import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findTag,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'

/** Text in a fence that nothing inside it can close. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text as code within a line. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** Code in a table cell, where a span cannot hold a pipe behind a backslash. */
export function cellCode(text: string): string {
  if (!text.includes('\\|')) return codeSpan(text)
  return `<code>${text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
}

function longestBacktickRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** The first characters of the text of an element, at least this many if it has them. */
export function beginningOf(tree: Tree, node: Node, most: number): string {
  const end = tree.ends[node] ?? 0
  let text = ''
  for (let at = node; at < end && text.length < most; at += 1) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
  }
  return text
}

/** Next to a listing, a copy button is noise, and so are controls that fold its parts. */
export function isControl(tree: Tree, button: Node): boolean {
  const text = beginningOf(tree, button, 40).trim() || alternativeIn(tree, button)
  return /^(?:(?:copy|copied)\b.{0,20}|(?:expand|collapse) all|try it(?: out)?)$/is.test(text)
}

/** The alternative text of the image of a button without text. */
function alternativeIn(tree: Tree, button: Node): string {
  const image = findTag(tree, tag.img, button + 1, endOf(tree, button))
  return image === none ? '' : (attribute(tree, image, attr.alt)?.trim() ?? '')
}

/** Longer than "Out [1000]:". */
const longestPrompt = 24

/**
 * The number of a cell beside its code, as in `In [3]:`, or a sign that something can be learned there. In a
 * listing the same class marks what a shell shows.
 */
export function isPrompt(tree: Tree, node: Node): boolean {
  const text = beginningOf(tree, node, longestPrompt).trim()
  if (/(?:^|\s)tooltip(?:\s|$)/.test(classOf(tree, node) ?? '')) return /^[ⓘℹ?]?$/.test(text)
  return /^(?:(?:In|Out)\s*)?\[[\s\d*]*\]:?$/.test(text)
}

const lineNames = /(?:^|\s)line(?:\s|$)/

/** Whether an element that may show code without `pre` does. */
export function looksLikeCode(tree: Tree, node: Node): boolean {
  const classes = classOf(tree, node) ?? ''
  const first = firstElement(tree, node)
  if (/(?:^|\s)fragment(?:\s|$)/.test(classes)) {
    return tree.tags[first] === tag.div && lineNames.test(classOf(tree, first) ?? '')
  }
  return !/(?:^|\s)phpcode(?:\s|$)/.test(classes) || tree.tags[first] === tag.code
}

function firstElement(tree: Tree, node: Node): Node {
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at = endOf(tree, at)) if (tree.tags[at] !== 0) return at
  return none
}

const declarations = tagSet('div h1 h2 h3 h4 h5 h6')
const declarationNames =
  /(?:^|\s)(?:(?:member|type|tsd)-signature|code-header|method-heading|\w+synopsis)(?:\s|$)/

/** The same names are given to much else, so the tag has to agree. */
export function isDeclaration(tree: Tree, node: Node): boolean {
  const name = tree.tags[node] ?? 0
  const classes = classOf(tree, node) ?? ''
  if (name === tag.dt) return /(?:^|\s)sig(?:-object)?(?:\s|$)/.test(classes)
  if (name === tag.p || name === tag.td) return /(?:^|\s)(?:src|RForeground)(?:\s|$)/.test(classes)
  if (name === tag.li)
    return /(?:^|\s)src(?:\s|$)/.test(classes) && findTag(tree, tag.ul, node + 1, endOf(tree, node)) === none
  if (name === tag.table) return /(?:^|\s)(?:memname|funcprototype-table)(?:\s|$)/.test(classes)
  return declarations[name] === 1 && declarationNames.test(classes) && !isName(tree, node)
}

const longestWords = 80

/** A name alone, as that of a variant, is read as what it is without marks. */
function isName(tree: Tree, node: Node): boolean {
  return tree.tags[node] !== tag.div && isOf(/^\s*\w+\s*$/, tree, node)
}

/** So are a constructor and the types it takes in a row, if they are words; and then the types can be links. */
export function isConstructor(tree: Tree, cell: Node): boolean {
  return classOf(tree, firstElement(tree, cell)) === 'def' && isOf(/^\s*\w+(?: \w+)*\s*$/, tree, cell)
}

function isOf(shape: RegExp, tree: Tree, node: Node): boolean {
  const text = beginningOf(tree, node, longestWords)
  return text.length < longestWords && shape.test(text)
}

/** How far above its name a declaration begins. */
const levelsAround = 4

/** The term or paragraph that a declared name stands in. */
export function declarationAround(tree: Tree, part: Node): Node {
  const isFunction = /(?:^|\s)funcdef(?:\s|$)/.test(classOf(tree, part) ?? '')
  let at = parentOf(tree, part)
  for (let level = 0; level < levelsAround && at > 0; level += 1) {
    if (tree.tags[at] === tag.dt || (isFunction && tree.tags[at] === tag.p)) return at
    at = parentOf(tree, at)
  }
  return none
}
