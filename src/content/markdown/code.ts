import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findChild,
  findTag,
  type Node,
  none,
  parentOf,
  readTexts,
  type Tree,
} from '../tree/tree.ts'

export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, measureLongestBacktickRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

export function codeSpan(text: string): string {
  const fence = '`'.repeat(measureLongestBacktickRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

/** A code span cannot contain an escaped pipe in a table cell, so code with one is written as a tag. */
export function toCellCode(text: string): string {
  if (!text.includes('\\|')) return codeSpan(text)
  return `<code>${text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`
}

function measureLongestBacktickRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

export const beginningOf = (tree: Tree, node: Node, minLength: number) =>
  readTexts(tree, node, tree.ends[node] ?? 0, minLength)

export function isControl(tree: Tree, button: Node): boolean {
  const findImage = () => findTag(tree, tag.img, button + 1, endOf(tree, button))
  const text = beginningOf(tree, button, 40).trim() || (attribute(tree, findImage(), attr.alt) ?? '').trim()
  return /^(?:(?:copy|copied)\b.{0,20}|(?:expand|collapse) all|try it(?: out)?)$/is.test(text)
}

const maxPromptLength = 24

/** Tests an element with a prompt class: `In [3]:` or a tooltip icon, but not shell output in a listing. */
export function isPrompt(tree: Tree, node: Node): boolean {
  const text = beginningOf(tree, node, maxPromptLength).trim()
  if (/(?:^|\s)tooltip(?:\s|$)/.test(classOf(tree, node) ?? '')) return /^[ⓘℹ?]?$/.test(text)
  return /^(?:(?:In|Out)\s*)?\[[\s\d*]*\]:?$/.test(text)
}

const lineNames = /(?:^|\s)line(?:\s|$)/

export function looksLikeCode(tree: Tree, node: Node): boolean {
  const classes = classOf(tree, node) ?? ''
  const first = findFirstElement(tree, node)
  if (/(?:^|\s)fragment(?:\s|$)/.test(classes)) {
    return tree.tags[first] === tag.div && lineNames.test(classOf(tree, first) ?? '')
  }
  return !/(?:^|\s)phpcode(?:\s|$)/.test(classes) || tree.tags[first] === tag.code
}

const findFirstElement = (tree: Tree, node: Node) => findChild(tree, node, (at) => tree.tags[at] !== 0)

const declarationTags = tagSet('div h1 h2 h3 h4 h5 h6')
const declarationNames =
  /(?:^|\s)(?:(?:member|type|tsd)-signature|code-header|method-heading|\w+synopsis)(?:\s|$)/

/** Returns true for a declaration. Its class names have other uses too, so the tag must match as well. */
export function isDeclaration(tree: Tree, node: Node): boolean {
  const name = tree.tags[node] ?? 0
  const classes = classOf(tree, node) ?? ''
  if (name === tag.dt) return /(?:^|\s)sig(?:-object)?(?:\s|$)/.test(classes)
  if (name === tag.p || name === tag.td) return /(?:^|\s)(?:src|RForeground)(?:\s|$)/.test(classes)
  if (name === tag.li)
    return /(?:^|\s)src(?:\s|$)/.test(classes) && findTag(tree, tag.ul, node + 1, endOf(tree, node)) === none
  if (name === tag.table) return /(?:^|\s)(?:memname|funcprototype-table)(?:\s|$)/.test(classes)
  if (declarationTags[name] !== 1 || !declarationNames.test(classes)) return false
  // A single name, such as that of a variant, is not formatted as code.
  return name === tag.div || !matchesText(/^\s*\w+\s*$/, tree, node)
}

const maxNameLength = 80

/** Returns true for a constructor whose argument types are words. Without code formatting, the types can be links. */
export function isConstructor(tree: Tree, cell: Node): boolean {
  return (
    classOf(tree, findFirstElement(tree, cell)) === 'def' && matchesText(/^\s*\w+(?: \w+)*\s*$/, tree, cell)
  )
}

function matchesText(pattern: RegExp, tree: Tree, node: Node): boolean {
  const text = beginningOf(tree, node, maxNameLength)
  return text.length < maxNameLength && pattern.test(text)
}

const maxLevels = 4

export function findDeclarationAround(tree: Tree, part: Node): Node {
  const isFunction = /(?:^|\s)funcdef(?:\s|$)/.test(classOf(tree, part) ?? '')
  let at = parentOf(tree, part)
  for (let level = 0; level < maxLevels && at > 0; level += 1) {
    if (tree.tags[at] === tag.dt || (isFunction && tree.tags[at] === tag.p)) return at
    at = parentOf(tree, at)
  }
  return none
}
