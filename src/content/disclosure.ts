import { attr, tag } from './tree/names.ts'
import { attribute, attributeName, attributeValue, endOf, type Node, root, type Tree } from './tree/tree.ts'

/**
 * Whether a hidden element is one that a reader of the page can open: the panel of a tab or an accordion, a slide, an answer
 * below its question. Gives a function, as what is asked of the whole page is asked once.
 */
export function isDisclosed(tree: Tree): (node: Node) => boolean {
  let targets: Set<string> | undefined
  const isTarget = (node: Node) => {
    const id = attribute(tree, node, attr.id)
    if (!id) return false
    targets ??= referredTo(tree)
    return targets.has(id)
  }
  return (node) =>
    !isDialog(tree, node) && (isNamed(tree, node) || isBesideOpener(tree, node) || isTarget(node))
}

const dialogNames =
  /(?:^|[\s_-])(?:modal|popup|pop-up|popover|tooltip|lightbox|overlay|cookies?|consent)(?:$|[\s_-])/i

/** Dialogs are opened by buttons too, but hold no part of the text. */
function isDialog(tree: Tree, node: Node): boolean {
  const role = attribute(tree, node, attr.role)
  if (tree.tags[node] === tag.dialog || role === 'dialog' || role === 'alertdialog') return true
  return dialogNames.test(attribute(tree, node, attr.class) ?? '')
}

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
