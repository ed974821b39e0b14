import { tag } from '../../content/tree/names.ts'
import { endOf, isText, type Node, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { better, type Found } from './found.ts'
import { splitText } from './from-things.ts'
import type { PageContext } from './page-context.ts'
import { shownText } from './shown-text.ts'
import type { Slot } from './slots.ts'

const longestText = 2000

/** Elements of one name, which together may be a list. */
export type ListCandidates = Map<string, { nodes: Node[]; sure: number }>

export function collect(
  lists: Map<Slot, ListCandidates>,
  slot: Slot,
  token: string,
  node: Node,
  sure: number,
): void {
  const candidates = lists.get(slot) ?? new Map()
  lists.set(slot, candidates)
  const known = candidates.get(token) ?? { nodes: [], sure }
  candidates.set(token, known)
  known.sure = Math.max(known.sure, sure)
  if (known.nodes.length < 500) known.nodes.push(node)
}

/** The best list that elements of one name make. */
export function listOf(
  tree: Tree,
  slot: Slot,
  candidates: ListCandidates,
  page: PageContext,
): Found | undefined {
  let best: Found | undefined
  for (const { nodes, sure } of candidates.values()) {
    const items = nodes.length > 1 ? outermost(tree, nodes) : itemsIn(tree, nodes[0] ?? 0)
    const texts = items.map((node) => shownText(tree, node)).filter((text) => text !== '')
    const split = texts.length === 1 ? splitText(texts[0] ?? '', slot.names) : texts
    const found = listFound(slot, split, items[0] ?? 0, page)
    const isWhole = slot.names.kind !== 'steps' || split.length >= 2
    if (found && isWhole)
      best = better(best, { ...found, score: sure * Math.min(1, 0.85 + split.length * 0.02) })
  }
  return best
}

function outermost(tree: Tree, nodes: readonly Node[]): Node[] {
  const kept: Node[] = []
  for (const node of nodes) {
    const last = kept.at(-1)
    if (last === undefined || node >= endOf(tree, last)) kept.push(node)
  }
  return kept.length === 1 ? itemsIn(tree, kept[0] ?? 0) : kept
}

/** The items of a list, or the element itself. */
function itemsIn(tree: Tree, node: Node): Node[] {
  const items: Node[] = []
  for (let at = node + 1; at < endOf(tree, node) && items.length < 500; at += 1) {
    const name = tagOf(tree, at)
    if (name !== tag.li && name !== tag.p) continue
    items.push(at)
    at = endOf(tree, at) - 1
  }
  return items.length > 0 ? items : partsIn(tree, node)
}

/** Links or chips that stand beside each other, else the element itself. */
function partsIn(tree: Tree, node: Node): Node[] {
  const parts: Node[] = []
  for (
    let at = node + 1;
    at < endOf(tree, node) && parts.length < 100;
    at = isText(tree, at) ? at + 1 : endOf(tree, at)
  ) {
    if (!isText(tree, at)) parts.push(at)
    else if (/[\p{L}\p{N}]/u.test(textAt(tree, at))) return [node]
  }
  return parts.length > 1 && parts.every((part) => tagOf(tree, part) === tagOf(tree, parts[0] ?? 0))
    ? parts
    : [node]
}

function listFound(
  { spec, names }: Slot,
  texts: readonly string[],
  node: Node,
  page: PageContext,
): Found | undefined {
  if (spec.kind !== 'list') return undefined
  const entries = texts
    .map((text) => coerce(spec.item, text.replace(/^(?:[▢□☐•·]\s*)/u, ''), { ...page, ...names }))
    .filter((entry) => entry !== undefined)
  if (entries.length === 0) return undefined
  return {
    value: entries.slice(0, spec.most),
    text: texts.join('\n').slice(0, longestText),
    node,
    reader: 'name',
    score: 1,
  }
}
