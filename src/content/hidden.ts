import { attr, tag, tagSet } from './tree/names.ts'
import {
  attribute,
  attributeName,
  attributeValue,
  classOf,
  endOf,
  findAround,
  isDialog,
  type Node,
  none,
  root,
  type Tree,
  textAt,
} from './tree/tree.ts'

/**
 * Whether a hidden element is one that a reader of the page can open: the panel of a tab or an accordion, a slide, an answer
 * below its question. Gives a function, as what is asked of the whole page is asked once.
 */
function isDisclosed(tree: Tree): (node: Node) => boolean {
  let targets: Set<string> | undefined
  const isTarget = (node: Node) => {
    const id = attribute(tree, node, attr.id)
    if (!id) return false
    targets ??= referredTo(tree)
    return targets.has(id)
  }
  return (node) =>
    !isDialogOrNamedSo(tree, node) && (isNamed(tree, node) || isBesideOpener(tree, node) || isTarget(node))
}

const dialogNames =
  /(?:^|[\s_-])(?:modal|popup|pop-up|popover|tooltip|lightbox|overlay|cookies?|consent)(?:$|[\s_-])/i

/** Dialogs are opened by buttons too, but hold no part of the text. */
const isDialogOrNamedSo = (tree: Tree, node: Node) =>
  isDialog(tree, node) || dialogNames.test(classOf(tree, node) ?? '')

/** How far around an element its tabs or its accordion may be. */
const levelsAround = 4
const roles = new Set(['tabpanel', 'tablist', 'region'])
const names =
  /(?:^|[\s_-])(?:tab(?=[sp_\s-]|content|$)|accordion|collaps|carousel|slide|swiper|splide|faq|expand|toggle|spoiler|disclos|panel|answer|foot-?note|side-?note|end-?note|(?:read|show|load|see)?-?more(?=$|[\s_-]))/i
const dataNames = /^data-(?:[a-z]+-)*(?:tab|toggle|accordion|collapse|slide|carousel|panel|expand)/

function isNamed(tree: Tree, node: Node): boolean {
  let at = node
  for (let level = 0; level < levelsAround && at > root && tree.tags[at] !== tag.body; level += 1) {
    if (tree.tags[at] === tag.details) return true
    const stop = tree.stops[at] ?? 0
    for (let place = tree.starts[at] ?? 0; place < stop; place += 1) {
      const name = tree.attributes.names[place]
      if (name === 0 && dataNames.test(attributeName(tree, place))) return true
    }
    if (roles.has(attribute(tree, at, attr.role) ?? '')) return true
    if (names.test(attribute(tree, at, attr.class) ?? '') || names.test(attribute(tree, at, attr.id) ?? ''))
      return true
    at = tree.parents[at] ?? root
  }
  return false
}

/** As many siblings as are looked at. */
const siblingsAround = 32

/** Behind a button, or one of several that look the same and are not all hidden. */
function isBesideOpener(tree: Tree, node: Node): boolean {
  const look = firstWord(attribute(tree, node, attr.class))
  const parent = tree.parents[node] ?? root
  const end = endOf(tree, parent)
  let before: Node = root
  let at = parent + 1
  for (let count = 0; count < siblingsAround && at < end; at = endOf(tree, at)) {
    if (tree.tags[at] === 0) continue
    count += 1
    if (at === node && before !== root && isOpener(tree, before)) return true
    const isAlike = look !== '' && at !== node && tree.tags[at] === tree.tags[node]
    if (isAlike && firstWord(attribute(tree, at, attr.class)) === look && !isHiddenToo(tree, at)) return true
    before = at
  }
  return false
}

function isHiddenToo(tree: Tree, node: Node): boolean {
  const style = attribute(tree, node, attr.style) ?? ''
  return attribute(tree, node, attr.hidden) !== undefined || /display\s*:\s*none/i.test(style)
}

const firstWord = (text: string | undefined) => text?.trim().split(/\s/, 1)[0] ?? ''

function isOpener(tree: Tree, node: Node): boolean {
  const name = tree.tags[node] ?? 0
  if (name === tag.button || name === tag.summary || name === tag.dt) return true
  return attribute(tree, node, attr['aria-expanded']) !== undefined
}

/** Longer than any id that is worth a look. */
const longestId = 100

/** The elements that something on the page says it controls, leads to or is about, by their ids. */
function referredTo(tree: Tree): Set<string> {
  const ids = new Set<string>()
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const stop = tree.stops[node] ?? 0
    for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
      const name = tree.attributes.names[at] ?? 0
      // Scripts use their own attributes for it, such as data-target.
      if (name !== 0 && name !== attr.href && name !== attr['aria-controls']) continue
      const value = attributeValue(tree, at)
      if (value.length > longestId || (name === attr.href && !value.startsWith('#'))) continue
      for (const id of value.split(/[\s,]+/)) ids.add(id.replace(/^#/, ''))
    }
  }
  return ids
}

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

const isInCode = (tree: Tree, node: Node) =>
  findAround(tree, node, (at) => tree.tags[at] === tag.pre || tree.tags[at] === tag.code) !== none

const unread = tagSet('head noscript script select style svg template textarea title')

/** For every node, and for the end of the page: how many characters of readable text stand before it. */
export function textBefore(tree: Tree): Int32Array {
  const before = new Int32Array(tree.count + 1)
  let length = 0
  for (let node = 0; node < tree.count; node += 1) {
    before[node] = length
    const name = tree.tags[node] ?? 0
    if (name === 0 && node !== root) length += trimmedLength(tree, node)
    else if (unread[name] === 1) {
      const end = endOf(tree, node)
      before.fill(length, node, end)
      node = end - 1
    }
  }
  before[tree.count] = length
  return before
}

/** The length of a text without the white space around it; nothing is copied for it. */
function trimmedLength(tree: Tree, node: Node): number {
  let start = tree.starts[node] ?? 0
  if (start < 0) return (tree.decoded[-1 - start] ?? '').trim().length
  let stop = tree.stops[node] ?? 0
  while (start < stop && isSpace(tree.codes[start] ?? 0)) start += 1
  while (stop > start && isSpace(tree.codes[stop - 1] ?? 0)) stop -= 1
  return stop - start
}

/** White space of ASCII, and the no-break space, which pages use as filling. */
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 160
