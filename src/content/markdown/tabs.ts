import type { Excerpt } from '../select-content.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  isInside,
  type Node,
  none,
  parentOf,
  root,
  type Tree,
} from '../tree/tree.ts'
import { classMatches, says } from './class-name-rules.ts'
import { isBlock, isSilent } from './facts.ts'

/**
 * Tabs show one panel at a time, and on paper all of them: each needs its label before it. Gives the label of
 * each panel; what has become a label is silenced in its list.
 */
export function readTabs({ tree }: Excerpt, facts: Uint16Array): Map<Node, Node> {
  const page: Page = { tree, facts, places: undefined, steps: tree.count * stepsPerNode }
  const labels = new Map<Node, Node>()
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || !maySayTabs(tree, node)) continue
    const tabs = tabsIn(page, node)
    if (tabs.length === 0) continue
    const panels = panelsOf(page, node, tabs)
    // Several tabs for one panel choose what it shows; none of them names it.
    const isFilter = tabs.length > 1 && new Set(panels).size === 1 && panels[0] !== none
    let isOpened = false
    for (const [index, panel] of panels.entries()) {
      const label = tabs[index] ?? none
      if (isFilter && isPanel(page, panel)) facts[label] = isSilent
      if (isFilter) continue
      if (panel === none || labels.has(panel) || !isPanel(page, panel) || isInside(tree, label, panel))
        continue
      labels.set(panel, label)
      facts[label] = isSilent
      isOpened = true
    }
    if (isOpened) silenceClosed(page, tabs, panels)
  }
  return labels
}

/** Whether some element of a page has the role of a tab, or of what holds tabs. */
export function hasTabRoles({ html, attributes }: Tree): boolean {
  const { names, starts } = attributes
  for (let at = names.indexOf(attr.role); at !== -1; at = names.indexOf(attr.role, at + 1)) {
    const start = starts[at] ?? 0
    if (start >= 0 && html.startsWith('tab', start)) return true
  }
  return false
}

function maySayTabs(tree: Tree, node: Node): boolean {
  return (classMatches(tree, node) & says.tabs) !== 0 || attribute(tree, node, attr.role) === 'tablist'
}

/** Beside a panel that is there, a tab without one is a button that would fetch it. */
function silenceClosed({ tree, facts }: Page, tabs: readonly Node[], panels: readonly Node[]): void {
  for (const [index, tab] of tabs.entries()) {
    const isButton = attribute(tree, tab, attr.role) === 'tab'
    if (isButton && (panels[index] ?? none) === none) facts[tab] = isSilent
  }
}

/** A page of tabs without panels must not be searched again and again. */
const stepsPerNode = 4

interface Page {
  tree: Tree
  facts: Uint16Array
  places: Places | undefined
  /** How many nodes may still be looked at in search of panels. */
  steps: number
}

const panelTags = tagSet('article blockquote details div dl figure form main ol p pre section table ul')

function isPanel({ tree, facts }: Page, node: Node): boolean {
  const fact = facts[node] ?? 0
  const name = tree.tags[node] ?? 0
  return (
    (fact & isBlock) !== 0 &&
    (fact & isSilent) === 0 &&
    (panelTags[name] === 1 || panelTags[name] === undefined)
  )
}

const lists = tagSet('ol ul nav')

/** The tabs of a list: those with the role, the labels of radio buttons, or links to places on the page. */
function tabsIn(page: Page, list: Node): Node[] {
  const { tree } = page
  const isTablist = attribute(tree, list, attr.role) === 'tablist'
  if (isTablist || lists[tree.tags[list] ?? 0] === 1) {
    const tabs = descendants(page, list, (at) => attribute(tree, at, attr.role) === 'tab')
    return tabs.length > 0 ? tabs : descendants(page, list, (at) => placeOf(tree, at) !== '')
  }
  return childrenOf(page, list).filter((at) => {
    const isLabel = tree.tags[at] === tag.label && attributeNamed(tree, at, 'for') !== undefined
    return isLabel || attribute(tree, at, attr.role) === 'tab'
  })
}

function descendants(page: Page, list: Node, isOne: (node: Node) => boolean): Node[] {
  const { tree } = page
  const found: Node[] = []
  const end = endOf(tree, list)
  for (let at = list + 1; at < end && page.steps > 0; page.steps -= 1) {
    const is = tree.tags[at] !== 0 && isOne(at)
    if (is) found.push(at)
    at = is ? endOf(tree, at) : at + 1
  }
  return found
}

function childrenOf(page: Page, node: Node): Node[] {
  const { tree } = page
  const found: Node[] = []
  const end = endOf(tree, node)
  for (let at = node + 1; at < end && page.steps > 0; at = endOf(tree, at)) {
    page.steps -= 1
    if (tree.tags[at] !== 0) found.push(at)
  }
  return found
}

function placeOf(tree: Tree, node: Node): string {
  const href = attribute(tree, node, attr.href) ?? ''
  return href.startsWith('#') && href.length > 1 ? href.slice(1) : ''
}

function panelsOf(page: Page, list: Node, tabs: readonly Node[]): Node[] {
  const { tree } = page
  const beside = tabs.map((tab) => (tree.tags[tab] === tag.label ? contentBehind(tree, tab) : none))
  if (beside.some((panel) => panel !== none)) return beside
  const named = tabs.map((tab) => namedPanel(page, tab))
  if (named.some((panel) => panel !== none)) return isOneSet(tree, list, tabs, named) ? named : []
  return panelsInOrder(page, list, tabs)
}

/** Links of a list of contents lead to places on the page too; the panels of tabs lie side by side. */
function isOneSet(tree: Tree, list: Node, tabs: readonly Node[], panels: readonly Node[]): boolean {
  if (tabs.some((tab) => attribute(tree, tab, attr.role) === 'tab')) return true
  const parent = parentOf(tree, panels[0] ?? none)
  return panels.every((panel) => panel > list && parentOf(tree, panel) === parent)
}

const controls = tagSet('button input label script style')

/** The next element beside a label, if it is no further label. */
function contentBehind(tree: Tree, label: Node): Node {
  const end = endOf(tree, parentOf(tree, label))
  for (let at = endOf(tree, label); at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (name !== 0) return controls[name] === 1 ? none : at
  }
  return none
}

interface Places {
  byId: Map<string, Node>
  /** Panels that say themselves which tab names them. */
  byLabel: Map<string, Node>
}

function namedPanel(page: Page, tab: Node): Node {
  const { tree } = page
  page.places ??= readPlaces(tree)
  const { byId, byLabel } = page.places
  const target = attributeNamed(tree, tab, 'data-bs-target') ?? attributeNamed(tree, tab, 'data-target') ?? ''
  const inside = tree.tags[tab] === tag.a ? '' : descendants(page, tab, (at) => placeOf(tree, at) !== '')[0]
  const ids = [
    attribute(tree, tab, attr['aria-controls']),
    placeOf(tree, tab),
    target.replace(/^#/, ''),
    inside === undefined || inside === '' ? '' : placeOf(tree, inside),
  ]
  for (const id of ids) {
    const panel = id ? byId.get(id) : undefined
    if (panel !== undefined) return panel
  }
  return byLabel.get(attribute(tree, tab, attr.id) ?? '') ?? none
}

function readPlaces(tree: Tree): Places {
  const places: Places = { byId: new Map(), byLabel: new Map() }
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || tree.starts[node] === tree.stops[node]) continue
    const id = attribute(tree, node, attr.id)
    if (id && !places.byId.has(id)) places.byId.set(id, node)
    const label = attribute(tree, node, attr['aria-labelledby'])
    if (label && !places.byLabel.has(label)) places.byLabel.set(label, node)
  }
  return places
}

/** How far above a list of tabs its panels may begin. */
const levelsAround = 3

/** As many panels as there are tabs, behind their list; or the one of the open tab, where no other is there yet. */
function panelsInOrder(page: Page, list: Node, tabs: readonly Node[]): Node[] {
  const { tree } = page
  const next = contentBehind(tree, list)
  if (next !== none && tabs.every((tab) => tree.tags[tab] === tag.label)) {
    const inside = childrenOf(page, next).filter((node) => !isControl(tree, node))
    return inside.length === tabs.length ? inside : []
  }
  let at = list
  for (let level = 0; level < levelsAround && at > root; level += 1) {
    const parent = parentOf(tree, at)
    const panels = tabPanels(page, endOf(tree, at), endOf(tree, parent))
    if (panels.length === tabs.length) return panels
    if (panels.length === 1) return tabs.map((tab) => (isOpen(tree, tab) ? (panels[0] ?? none) : none))
    at = parent
  }
  return []
}

const isOpen = (tree: Tree, tab: Node) => attributeNamed(tree, tab, 'aria-selected') === 'true'

const isControl = (tree: Tree, node: Node) => controls[tree.tags[node] ?? 0] === 1

function tabPanels(page: Page, from: Node, end: Node): Node[] {
  const { tree } = page
  const panels: Node[] = []
  for (let at = from; at < end && page.steps > 0; page.steps -= 1) {
    const role = attribute(tree, at, attr.role)
    if (role === 'tablist') break
    const is = role === 'tabpanel'
    if (is) panels.push(at)
    at = is ? endOf(tree, at) : at + 1
  }
  return panels
}
