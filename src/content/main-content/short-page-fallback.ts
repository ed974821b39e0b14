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

/** Removes certain boilerplate and keeps the rest: for pages that the model does not fit. Never omits all text. */
export function prune(tree: Tree): Uint8Array {
  const lengths = measureTextLengths(tree)
  const getLength = (node: Node) => lengths[node] ?? 0
  const totalLength = getLength(root)
  const mainElement = findOnlyMain(tree)
  const omitted =
    mainElement === none ? findSurroundings(tree, (node) => getLength(node) > totalLength * 0.4) : []
  let length = getLength(mainElement === none ? root : mainElement)
  for (const node of omitted) length -= getLength(node)
  const hasTooLittleText = length < totalLength * 0.1 || (length < 200 && length < totalLength * 0.5)
  const skipped = new Uint8Array(tree.count)
  if (hasTooLittleText) return skipped
  for (const node of omitted) skipped[node] = 1
  if (mainElement !== none) skipAround(tree, mainElement, skipped)
  return skipped
}

function skipAround(tree: Tree, kept: Node, skipped: Uint8Array): void {
  for (let node = root + 1; node < tree.count; ) {
    const isAncestor = isInside(tree, kept, node)
    if (!isAncestor && node !== kept) skipped[node] = 1
    node = isAncestor ? node + 1 : endOf(tree, node)
  }
}

function measureTextLengths(tree: Tree): Int32Array {
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

function findOnlyMain(tree: Tree): Node {
  let mainNode = none
  for (let node = root + 1; node < tree.count; node += 1) {
    if (!isMain(tree, node)) continue
    if (mainNode !== none && !isInside(tree, node, mainNode)) return none
    if (mainNode === none) mainNode = node
  }
  return mainNode
}

/** An element with much of the text is content, whatever its name is. */
function findSurroundings(tree: Tree, isLarge: (node: Node) => boolean): Node[] {
  const surroundings: Node[] = []
  let node = root + 1
  while (node < tree.count) {
    const isOmitted = isSurrounding(tree, node) && !isLarge(node)
    if (isOmitted) surroundings.push(node)
    const isEntered = !isOmitted && tree.tags[node] !== tag.article && !isMain(tree, node)
    node = isEntered ? node + 1 : endOf(tree, node)
  }
  return surroundings
}

const isMain = (tree: Tree, node: Node) =>
  tree.tags[node] === tag.main || attribute(tree, node, attr.role) === 'main'

const surroundingTags = tagSet('aside footer header nav')
const surroundingRoles = new Set(['banner', 'complementary', 'contentinfo', 'navigation', 'search'])
const surroundingPattern =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|masthead|cookies?|newsletter|social|share|advert(?:isement)?s?|ads?|modal|popup|skip-link)(?:$|[\s_-])/i

function isSurrounding(tree: Tree, node: Node): boolean {
  const id = tagOf(tree, node)
  if (id === 0 || id === tag.article || isMain(tree, node)) return false
  if (surroundingTags[id] === 1) return true
  if (surroundingRoles.has(attribute(tree, node, attr.role) ?? '')) return true
  if (hasAttribute(tree, node, attr.hidden)) return true
  if (/display\s*:\s*none/i.test(attribute(tree, node, attr.style) ?? '')) return true
  if (id === tag.html || id === tag.body) return false
  return isNamed(tree, node, surroundingPattern)
}
