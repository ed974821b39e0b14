import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  endOf,
  hasAttribute,
  isInside,
  isNamed,
  isText,
  type Node,
  none,
  parentOf,
  root,
  type Tree,
  tagOf,
  textAt,
} from '../tree/tree.ts'

/**
 * What is surely not content left out, and all else kept: for pages of a few words, and where the model would
 * keep too little. Gives 1 for each node that is left out with all below it; never a whole page that has text.
 */
export function prune(tree: Tree): Uint8Array {
  const lengths = textLengths(tree)
  const lengthOf = (node: Node) => lengths[node] ?? 0
  const total = lengthOf(root)
  const main = onlyMain(tree)
  const left = main === none ? surroundings(tree, (node) => lengthOf(node) > total * 0.4) : []
  let length = lengthOf(main === none ? root : main)
  for (const node of left) length -= lengthOf(node)
  const isTooLittle = length < total * 0.1 || (length < 200 && length < total * 0.5)
  const skipped = new Uint8Array(tree.count)
  if (isTooLittle) return skipped
  for (const node of left) skipped[node] = 1
  if (main !== none) skipAround(tree, main, skipped)
  return skipped
}

/** Leaves out everything that neither is inside this node nor holds it. */
function skipAround(tree: Tree, kept: Node, skipped: Uint8Array): void {
  for (let node = root + 1; node < tree.count; ) {
    const isOutside = node !== kept && !isInside(tree, kept, node)
    if (isOutside) skipped[node] = 1
    node = isOutside || node === kept ? endOf(tree, node) : node + 1
  }
}

/** How many characters of visible text lie below each node. */
function textLengths(tree: Tree): Int32Array {
  const lengths = new Int32Array(tree.count)
  for (let node = tree.count - 1; node > root; node -= 1) {
    if (isText(tree, node)) lengths[node] = textAt(tree, node).replace(/\s+/g, ' ').trim().length
    if (invisible[tagOf(tree, node)] === 1) continue
    const parent = parentOf(tree, node)
    lengths[parent] = (lengths[parent] ?? 0) + (lengths[node] ?? 0)
  }
  return lengths
}

const invisible = tagSet('head noscript script style svg template')

function onlyMain(tree: Tree): Node {
  let found = none
  for (let node = root + 1; node < tree.count; node += 1) {
    if (!isMain(tree, node)) continue
    if (found !== none && !isInside(tree, node, found)) return none
    if (found === none) found = node
  }
  return found
}

/**
 * Outermost elements around the content. One that holds much of the text is content, whatever it is called.
 */
function surroundings(tree: Tree, isLarge: (node: Node) => boolean): Node[] {
  const found: Node[] = []
  let node = root + 1
  while (node < tree.count) {
    const isLeft = isSurrounding(tree, node) && !isLarge(node)
    if (isLeft) found.push(node)
    const isEntered = !isLeft && tree.tags[node] !== tag.article && !isMain(tree, node)
    node = isEntered ? node + 1 : endOf(tree, node)
  }
  return found
}

const isMain = (tree: Tree, node: Node) =>
  tree.tags[node] === tag.main || attribute(tree, node, attr.role) === 'main'

const surroundingTags = tagSet('aside footer header nav')
const surroundingRoles = new Set(['banner', 'complementary', 'contentinfo', 'navigation', 'search'])
const surroundingNouns =
  'nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|masthead|cookies?|newsletter|social|share|' +
  'advert(?:isement)?s?|ads?|modal|popup|skip-link'
const surroundingWords = new RegExp(`(?:^|[\\s_-])(?:${surroundingNouns})(?:$|[\\s_-])`, 'i')

function isSurrounding(tree: Tree, node: Node): boolean {
  const id = tagOf(tree, node)
  if (id === 0 || id === tag.article || isMain(tree, node)) return false
  if (surroundingTags[id] === 1) return true
  if (surroundingRoles.has(attribute(tree, node, attr.role) ?? '')) return true
  if (hasAttribute(tree, node, attr.hidden)) return true
  if (/display\s*:\s*none/i.test(attribute(tree, node, attr.style) ?? '')) return true
  if (id === tag.html || id === tag.body) return false
  return isNamed(tree, node, surroundingWords)
}
