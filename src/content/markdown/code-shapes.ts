import { tag, tagSet } from '../tree/names.ts'
import { classOf, endOf, type Node, none, parentOf, type Tree } from '../tree/tree.ts'
import { beginningOf } from './beginning.ts'

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
export function showsCode(tree: Tree, node: Node): boolean {
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
  if (name === tag.li) return /(?:^|\s)src(?:\s|$)/.test(classes) && !holdsList(tree, node)
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

function holdsList(tree: Tree, item: Node): boolean {
  const end = endOf(tree, item)
  for (let at = item + 1; at < end; at += 1) if (tree.tags[at] === tag.ul) return true
  return false
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
