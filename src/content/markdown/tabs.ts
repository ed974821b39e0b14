import type { Excerpt } from '../select-content.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  isInside,
  type Node,
  nextElement,
  none,
  parentOf,
  root,
  type Tree,
} from '../tree/tree.ts'
import { classMeanings, getClassMeaning } from './class-name-rules.ts'
import { blockBit, silentBit } from './facts.ts'

/** Returns the label of each panel: a browser shows one panel at a time, but Markdown contains all of them. */
export function readTabs({ tree }: Excerpt, facts: Uint16Array): Map<Node, Node> {
  const search: TabSearch = { tree, facts, indexes: undefined, steps: tree.count * stepsPerNode }
  const labels = new Map<Node, Node>()
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const isNamed = (getClassMeaning(tree, node) & classMeanings.tabs) !== 0
    if (!isNamed && attribute(tree, node, attr.role) !== 'tablist') continue
    const tabs = findTabs(search, node)
    if (tabs.length === 0) continue
    const panels = findPanels(search, node, tabs)
    // Several tabs for one panel filter its content, so no tab is the label of the panel.
    const isFilter = tabs.length > 1 && new Set(panels).size === 1 && panels[0] !== none
    let hasPanel = false
    for (const [index, panel] of panels.entries()) {
      const label = tabs[index] ?? none
      if (isFilter && isTabPanel(search, panel)) facts[label] = silentBit
      if (isFilter) continue
      if (panel === none || labels.has(panel) || !isTabPanel(search, panel) || isInside(tree, label, panel))
        continue
      labels.set(panel, label)
      facts[label] = silentBit
      hasPanel = true
    }
    if (!hasPanel) continue
    // Tabs without a panel beside tabs with one are buttons that load their panel.
    for (const [index, tab] of tabs.entries()) {
      const isButton = attribute(tree, tab, attr.role) === 'tab'
      if (isButton && (panels[index] ?? none) === none) facts[tab] = silentBit
    }
  }
  return labels
}

export function hasTabRoles({ html, attributes }: Tree): boolean {
  const { names, starts } = attributes
  for (let at = names.indexOf(attr.role); at !== -1; at = names.indexOf(attr.role, at + 1)) {
    const start = starts[at] ?? 0
    if (start >= 0 && html.startsWith('tab', start)) return true
  }
  return false
}

/** Maximum number of search steps per node of the page, which bounds the time for tabs without panels. */
const stepsPerNode = 4

interface TabSearch {
  tree: Tree
  facts: Uint16Array
  indexes: PanelIndex | undefined
  steps: number
}

const panelTags = tagSet('article blockquote details div dl figure form main ol p pre section table ul')

function isTabPanel({ tree, facts }: TabSearch, node: Node): boolean {
  const fact = facts[node] ?? 0
  const name = tree.tags[node] ?? 0
  return (fact & (blockBit | silentBit)) === blockBit && (panelTags[name] ?? 1) === 1
}

const lists = tagSet('ol ul nav')

function findTabs(search: TabSearch, list: Node): Node[] {
  const { tree } = search
  const isTablist = attribute(tree, list, attr.role) === 'tablist'
  if (isTablist || lists[tree.tags[list] ?? 0] === 1) {
    const tabs = findDescendants(search, list, (at) => attribute(tree, at, attr.role) === 'tab')
    return tabs.length > 0 ? tabs : findDescendants(search, list, (at) => getFragment(tree, at) !== '')
  }
  return getChildren(search, list).filter((at) => {
    const isLabel = tree.tags[at] === tag.label && attributeNamed(tree, at, 'for') !== undefined
    return isLabel || attribute(tree, at, attr.role) === 'tab'
  })
}

function findDescendants(search: TabSearch, list: Node, isMatch: (node: Node) => boolean): Node[] {
  const { tree } = search
  const nodes: Node[] = []
  const end = endOf(tree, list)
  for (let at = list + 1; at < end && search.steps > 0; search.steps -= 1) {
    const isFound = tree.tags[at] !== 0 && isMatch(at)
    if (isFound) nodes.push(at)
    at = isFound ? endOf(tree, at) : at + 1
  }
  return nodes
}

function getChildren(search: TabSearch, node: Node): Node[] {
  const { tree } = search
  const nodes: Node[] = []
  const end = endOf(tree, node)
  for (let at = node + 1; at < end && search.steps > 0; at = endOf(tree, at)) {
    search.steps -= 1
    if (tree.tags[at] !== 0) nodes.push(at)
  }
  return nodes
}

function getFragment(tree: Tree, node: Node): string {
  const href = attribute(tree, node, attr.href) ?? ''
  return href.startsWith('#') ? href.slice(1) : ''
}

function findPanels(search: TabSearch, list: Node, tabs: readonly Node[]): Node[] {
  const { tree } = search
  const adjacent = tabs.map((tab) => (tree.tags[tab] === tag.label ? findContentAfter(tree, tab) : none))
  if (adjacent.some((panel) => panel !== none)) return adjacent
  const named = tabs.map((tab) => findNamedPanel(search, tab))
  if (named.some((panel) => panel !== none)) return areSiblings(tree, list, tabs, named) ? named : []
  return findPanelsInOrder(search, list, tabs)
}

/** Returns true if the panels are siblings, because links of a table of contents target fragments of the page too. */
function areSiblings(tree: Tree, list: Node, tabs: readonly Node[], panels: readonly Node[]): boolean {
  if (tabs.some((tab) => attribute(tree, tab, attr.role) === 'tab')) return true
  const parent = parentOf(tree, panels[0] ?? none)
  return panels.every((panel) => panel > list && parentOf(tree, panel) === parent)
}

const controls = tagSet('button input label script style')

function findContentAfter(tree: Tree, label: Node): Node {
  const next = nextElement(tree, label)
  return controls[tree.tags[next] ?? 0] === 1 ? none : next
}

type PanelIndex = ReturnType<typeof createPanelIndex>

function findNamedPanel(search: TabSearch, tab: Node): Node {
  const { tree } = search
  search.indexes ??= createPanelIndex(tree)
  const { byId, byLabel } = search.indexes
  const target = attributeNamed(tree, tab, 'data-bs-target') ?? attributeNamed(tree, tab, 'data-target') ?? ''
  const nestedLink =
    tree.tags[tab] === tag.a ? none : findDescendants(search, tab, (at) => getFragment(tree, at) !== '')[0]
  const ids = [
    attribute(tree, tab, attr['aria-controls']),
    getFragment(tree, tab),
    target.replace(/^#/, ''),
    getFragment(tree, nestedLink ?? none),
  ]
  for (const id of ids) {
    const panel = id ? byId.get(id) : undefined
    if (panel !== undefined) return panel
  }
  return byLabel.get(attribute(tree, tab, attr.id) ?? '') ?? none
}

function createPanelIndex(tree: Tree) {
  const panelIndex = { byId: new Map<string, Node>(), byLabel: new Map<string, Node>() }
  for (let node = root + 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || tree.starts[node] === tree.stops[node]) continue
    const id = attribute(tree, node, attr.id)
    if (id && !panelIndex.byId.has(id)) panelIndex.byId.set(id, node)
    const label = attribute(tree, node, attr['aria-labelledby'])
    if (label && !panelIndex.byLabel.has(label)) panelIndex.byLabel.set(label, node)
  }
  return panelIndex
}

const maxLevels = 3

/** Needs as many panels as tabs. If only the panel of the open tab exists, the other tabs get `none`. */
function findPanelsInOrder(search: TabSearch, list: Node, tabs: readonly Node[]): Node[] {
  const { tree } = search
  const next = findContentAfter(tree, list)
  if (next !== none && tabs.every((tab) => tree.tags[tab] === tag.label)) {
    const inside = getChildren(search, next).filter((node) => controls[tree.tags[node] ?? 0] !== 1)
    return inside.length === tabs.length ? inside : []
  }
  let at = list
  for (let level = 0; level < maxLevels && at > root; level += 1) {
    const parent = parentOf(tree, at)
    const panels = findTabPanels(search, endOf(tree, at), endOf(tree, parent))
    if (panels.length === tabs.length) return panels
    const isOpen = (tab: Node) => attributeNamed(tree, tab, 'aria-selected') === 'true'
    if (panels.length === 1) return tabs.map((tab) => (isOpen(tab) ? (panels[0] ?? none) : none))
    at = parent
  }
  return []
}

function findTabPanels(search: TabSearch, from: Node, end: Node): Node[] {
  const { tree } = search
  const panels: Node[] = []
  for (let at = from; at < end && search.steps > 0; search.steps -= 1) {
    const role = attribute(tree, at, attr.role)
    if (role === 'tablist') break
    const isPanel = role === 'tabpanel'
    if (isPanel) panels.push(at)
    at = isPanel ? endOf(tree, at) : at + 1
  }
  return panels
}
