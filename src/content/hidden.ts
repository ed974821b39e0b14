import { attr, tag, tagSet } from './tree/names.ts'
import {
  attribute,
  attributeName,
  attributeValue,
  classOf,
  endOf,
  findAround,
  hasAttribute,
  isDialog,
  isNamed,
  type Node,
  none,
  readTexts,
  root,
  type Tree,
} from './tree/tree.ts'

/** Matches hidden elements that a reader can open: tab panels, accordions, slides, answers below questions. */
function createDisclosedPredicate(tree: Tree): (node: Node) => boolean {
  let targets: Set<string> | undefined
  const isTarget = (node: Node) => {
    const id = attribute(tree, node, attr.id)
    if (!id) return false
    targets ??= findReferencedIds(tree)
    return targets.has(id)
  }
  return (node) =>
    // Buttons open dialogs too, but dialogs are not part of the text.
    !isDialog(tree, node) &&
    !dialogNames.test(classOf(tree, node) ?? '') &&
    (hasDisclosureName(tree, node) || isNextToOpener(tree, node) || isTarget(node))
}

const dialogNames =
  /(?:^|[\s_-])(?:modal|popup|pop-up|popover|tooltip|lightbox|overlay|cookies?|consent)(?:$|[\s_-])/i

const maxLevels = 4
const roles = new Set(['tabpanel', 'tablist', 'region'])
const disclosureNames =
  /(?:^|[\s_-])(?:tab(?=[sp_\s-]|content|$)|accordion|collaps|carousel|slide|swiper|splide|faq|expand|toggle|spoiler|disclos|panel|answer|foot-?note|side-?note|end-?note|(?:read|show|load|see)?-?more(?=$|[\s_-]))/i
const dataNames = /^data-(?:[a-z]+-)*(?:tab|toggle|accordion|collapse|slide|carousel|panel|expand)/

function hasDisclosureName(tree: Tree, node: Node): boolean {
  let at = node
  for (let level = 0; level < maxLevels && at > root && tree.tags[at] !== tag.body; level += 1) {
    if (tree.tags[at] === tag.details) return true
    const stop = tree.stops[at] ?? 0
    for (let index = tree.starts[at] ?? 0; index < stop; index += 1) {
      const name = tree.attributes.names[index]
      if (name === 0 && dataNames.test(attributeName(tree, index))) return true
    }
    if (roles.has(attribute(tree, at, attr.role) ?? '')) return true
    if (isNamed(tree, at, disclosureNames)) return true
    at = tree.parents[at] ?? root
  }
  return false
}

const maxSiblings = 32

function isNextToOpener(tree: Tree, node: Node): boolean {
  const className = getFirstWord(attribute(tree, node, attr.class))
  const parent = tree.parents[node] ?? root
  const end = endOf(tree, parent)
  let before: Node = root
  let at = parent + 1
  for (let count = 0; count < maxSiblings && at < end; at = endOf(tree, at)) {
    if (tree.tags[at] === 0) continue
    count += 1
    if (at === node && before !== root && isOpener(tree, before)) return true
    const isSameElement = className !== '' && at !== node && tree.tags[at] === tree.tags[node]
    if (isSameElement && getFirstWord(attribute(tree, at, attr.class)) === className && !isHidden(tree, at))
      return true
    before = at
  }
  return false
}

const isHidden = (tree: Tree, node: Node) =>
  hasAttribute(tree, node, attr.hidden) || /display\s*:\s*none/i.test(attribute(tree, node, attr.style) ?? '')

const getFirstWord = (text: string | undefined) => text?.trim().split(/\s/, 1)[0] ?? ''

function isOpener(tree: Tree, node: Node): boolean {
  const name = tree.tags[node] ?? 0
  if (name === tag.button || name === tag.summary || name === tag.dt) return true
  return hasAttribute(tree, node, attr['aria-expanded'])
}

const maxIdLength = 100

function findReferencedIds(tree: Tree): Set<string> {
  const ids = new Set<string>()
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const stop = tree.stops[node] ?? 0
    for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
      const name = tree.attributes.names[at] ?? 0
      // Include unknown attributes, because scripts use their own, such as data-target.
      if (name !== 0 && name !== attr.href && name !== attr['aria-controls']) continue
      const value = attributeValue(tree, at)
      if (value.length > maxIdLength || (name === attr.href && !value.startsWith('#'))) continue
      for (const id of value.split(/[\s,]+/)) ids.add(id.replace(/^#/, ''))
    }
  }
  return ids
}

/**
 * Marks the roots of hidden subtrees and decorative symbols. In doubt, text stays: content that a reader can open, and
 * content that may be the page itself until a script shows it.
 */
export function findHiddenParts(tree: Tree): Uint8Array {
  const marks = new Uint8Array(tree.count)
  const hidden: Node[] = []
  for (let node = root + 1; node < tree.count; node += 1) {
    const kind = kindOf(tree, node)
    if (kind === 'decoration' && isDecoration(tree, node)) marks[node] = 1
    else if (kind === 'hidden' && alwaysKept[tree.tags[node] ?? 0] !== 1) {
      hidden.push(node)
      node = endOf(tree, node) - 1
    }
  }
  if (hidden.length > 0) markUnlessPage(tree, hidden, marks)
  return marks
}

/** Elements that stay, because a table without some of its cells has another meaning. */
const alwaysKept = tagSet('body caption col colgroup html tbody td tfoot th thead tr')

function kindOf(tree: Tree, node: Node): 'hidden' | 'decoration' | undefined {
  if (tree.tags[node] === 0) return undefined
  const { names } = tree.attributes
  const stop = tree.stops[node] ?? 0
  let kind: 'decoration' | undefined
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (isHidingAttribute(tree, at)) return 'hidden'
    if (names[at] === attr['aria-hidden'] && attributeValue(tree, at) === 'true') kind = 'decoration'
  }
  return kind
}

export function isHidingAttribute(tree: Tree, at: number): boolean {
  const name = tree.attributes.names[at]
  // The browser's find-in-page can match `until-found` content, and then shows it.
  if (name === attr.hidden) return attributeValue(tree, at).toLowerCase() !== 'until-found'
  return name === attr.style && /(?:^|[;\s])display\s*:\s*none/i.test(attributeValue(tree, at))
}

/** Minimum length of hidden text that may be the main content, if it is also this share of the visible text. */
const minPageLength = 1000
const minPageShare = 0.5
/** The hidden text is the page if the visible text, such as "Loading", is shorter than this share of it. */
const maxVisibleShare = 0.1

function markUnlessPage(tree: Tree, hidden: readonly Node[], marks: Uint8Array): void {
  const before = measureTextBefore(tree)
  const getTextLength = (node: Node) => (before[endOf(tree, node)] ?? 0) - (before[node] ?? 0)
  let visibleLength = before[tree.count] ?? 0
  for (const node of hidden) visibleLength -= getTextLength(node)
  const isDisclosed = createDisclosedPredicate(tree)
  for (const node of hidden) {
    const length = getTextLength(node)
    const isPage =
      (length > minPageLength && length > visibleLength * minPageShare) ||
      visibleLength < length * maxVisibleShare
    if (length > 0 && !isPage && !isDisclosed(node)) marks[node] = 1
  }
}

const maxIconLength = 40
const iconNames =
  /(?:^|[\s_-])(?:icons?|fa[bsrl]?|glyphicons?|octicon|dashicons|material-(?:icons|symbols)|bi)(?:$|[\s_-])/i

function isDecoration(tree: Tree, node: Node): boolean {
  if (alwaysKept[tree.tags[node] ?? 0] === 1) return false
  const end = endOf(tree, node)
  if (end > node + maxIconLength) return false
  const text = readTexts(tree, node + 1, end, maxIconLength + 1).trim()
  if (text === '' || text.length > maxIconLength || isInCode(tree, node)) return false
  // Keep symbols with a meaning, such as a minus or a currency, which screen readers get in another form.
  if (!/[\p{L}\p{N}]/u.test(text)) return !/[\p{Sc}%‰°+\-−±]/u.test(text)
  return !/\s/.test(text) && iconNames.test(attribute(tree, node, attr.class) ?? '')
}

const isInCode = (tree: Tree, node: Node) =>
  findAround(tree, node, (at) => tree.tags[at] === tag.pre || tree.tags[at] === tag.code) !== none

const nonTextTags = tagSet('head noscript script select style svg template textarea title')

export function measureTextBefore(tree: Tree): Int32Array {
  const before = new Int32Array(tree.count + 1)
  let length = 0
  for (let node = 0; node < tree.count; node += 1) {
    before[node] = length
    const name = tree.tags[node] ?? 0
    if (name === 0 && node !== root) length += measureTrimmedText(tree, node)
    else if (nonTextTags[name] === 1) {
      const end = endOf(tree, node)
      before.fill(length, node, end)
      node = end - 1
    }
  }
  before[tree.count] = length
  return before
}

/** Creates no string if the text is a range of the source. */
function measureTrimmedText(tree: Tree, node: Node): number {
  let start = tree.starts[node] ?? 0
  if (start < 0) return (tree.decoded[-1 - start] ?? '').trim().length
  let stop = tree.stops[node] ?? 0
  while (start < stop && isSpace(tree.codes[start] ?? 0)) start += 1
  while (stop > start && isSpace(tree.codes[stop - 1] ?? 0)) stop -= 1
  return stop - start
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 160
