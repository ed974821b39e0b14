import { isDisclosed } from './disclosure.ts'
import { textBefore } from './text-before.ts'
import { attr, tag, tagSet } from './tree/names.ts'
import { attribute, attributeValue, endOf, type Node, root, type Tree, textAt } from './tree/tree.ts'

/**
 * Finds what a page hides from its readers, and signs that only decorate: 1 for each such node, which stands for all below it. What a tab, an accordion or a carousel holds
 * is hidden only until a reader asks for it, and what may be the page itself until a script shows it; both stay. When in
 * doubt, text stays.
 */
export function hiddenParts(tree: Tree): Uint8Array {
  const marks = new Uint8Array(tree.count)
  const hidden: Node[] = []
  for (let node = root + 1; node < tree.count; node += 1) {
    const kind = kindOf(tree, node)
    if (kind === 'decoration' && isDecoration(tree, node)) marks[node] = 1
    else if (kind === 'hidden' && stays[tree.tags[node] ?? 0] !== 1) {
      hidden.push(node)
      node = endOf(tree, node) - 1
    }
  }
  if (hidden.length > 0) markUnlessPage(tree, hidden, marks)
  return marks
}

/** A table without some of its cells says something else. */
const stays = tagSet('body caption col colgroup html tbody td tfoot th thead tr')

function kindOf(tree: Tree, node: Node): 'hidden' | 'decoration' | undefined {
  if (tree.tags[node] === 0) return undefined
  const { names } = tree.attributes
  const stop = tree.stops[node] ?? 0
  let kind: 'decoration' | undefined
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (hides(tree, at)) return 'hidden'
    if (names[at] === attr['aria-hidden'] && attributeValue(tree, at) === 'true') kind = 'decoration'
  }
  return kind
}

/** Whether the attribute at this place hides its element. */
export function hides(tree: Tree, at: number): boolean {
  const name = tree.attributes.names[at]
  // The search in a page finds what is hidden until then, and shows it.
  if (name === attr.hidden) return attributeValue(tree, at).toLowerCase() !== 'until-found'
  return name === attr.style && /(?:^|[;\s])display\s*:\s*none/i.test(attributeValue(tree, at))
}

/** Longer than this, hidden text that is as long as half of the page may be what the page is about. */
const longText = 1000
const shareOfPage = 0.5
/** If the visible text is this short, such as "Loading", hidden text of any length is the page. */
const littleBeside = 0.1

function markUnlessPage(tree: Tree, hidden: readonly Node[], marks: Uint8Array): void {
  const before = textBefore(tree)
  const lengthOf = (node: Node) => (before[endOf(tree, node)] ?? 0) - (before[node] ?? 0)
  let shown = before[tree.count] ?? 0
  for (const node of hidden) shown -= lengthOf(node)
  const isDisclosedIn = isDisclosed(tree)
  for (const node of hidden) {
    const length = lengthOf(node)
    const isPage = (length > longText && length > shown * shareOfPage) || shown < length * littleBeside
    if (length > 0 && !isPage && !isDisclosedIn(node)) marks[node] = 1
  }
}

/** More than the name of an icon. */
const longestIcon = 40
const iconNames =
  /(?:^|[\s_-])(?:icons?|fa[bsrl]?|glyphicons?|octicon|dashicons|material-(?:icons|symbols)|bi)(?:$|[\s_-])/i

/** Whether an element that is hidden from those who listen to the page shows nothing but a sign. */
function isDecoration(tree: Tree, node: Node): boolean {
  if (stays[tree.tags[node] ?? 0] === 1) return false
  const text = shortText(tree, node)
  if (text === '' || text.length > longestIcon || isInCode(tree, node)) return false
  // A minus or a currency that is read out in another way is not decoration.
  if (!/[\p{L}\p{N}]/u.test(text)) return !/[\p{Sc}%‰°+\-−±]/u.test(text)
  return !/\s/.test(text) && iconNames.test(attribute(tree, node, attr.class) ?? '')
}

/** The text of an element, or the first part of it that is longer than a sign. */
function shortText(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + longestIcon)
  let text = ''
  for (let at = node + 1; at < end && text.length <= longestIcon; at += 1) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
  }
  // An element with this many nodes is not an icon.
  return end < endOf(tree, node) ? 'x'.repeat(longestIcon + 1) : text.trim()
}

function isInCode(tree: Tree, node: Node): boolean {
  for (let at = node; at > root; at = tree.parents[at] ?? root) {
    if (tree.tags[at] === tag.pre || tree.tags[at] === tag.code) return true
  }
  return false
}
