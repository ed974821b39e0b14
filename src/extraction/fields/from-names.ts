import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  findTag,
  isInside,
  isText,
  type Node,
  none,
  type Tree,
  tagOf,
  textAt,
} from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { nameWords, phraseOf, singular } from '../vocabulary/words.ts'
import { type Match, matchesOf, tokensOf } from './element-names.ts'
import { better, type Found, type PageContext } from './extracted-value.ts'
import { splitText } from './from-items.ts'
import { isRating } from './from-labels.ts'
import { isMoney } from './from-shapes.ts'
import type { Lines } from './lines.ts'
import { alike, type PhraseIndex, type SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'
import { isTitled } from './subject.ts'

const maxMatches = 4000

/** Values in elements whose classes, ids or attributes of data name them: `class="recipe-author"`. */
export function readNames(
  lines: Lines,
  index: PhraseIndex,
  page: PageContext & { subject: Node },
): Map<SchemaField, Found> {
  const { tree, weights } = lines
  const found = new Map<SchemaField, Found>()
  const known = new Map<string, Match[]>()
  const lists = new Map<SchemaField, ListCandidates>()
  let matches = 0
  for (let node = 1; node < tree.count && matches < maxMatches; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) === 0 || tagOf(tree, node) === tag.script) continue
    for (const token of tokensOf(tree, node)) {
      for (const { slot, weight } of matchesOf(token, index, known)) {
        matches += 1
        // The address of the page stands in its head.
        if (slot.names.concept === 'url') continue
        const isInSubject = page.subject !== none && isInside(tree, node, page.subject)
        // A name inside the part that holds the other fields is surer.
        const sure = weight * (weights[node] ?? 1) * (isInSubject && isSaid(slot) ? 1 : 0.72)
        if (slot.spec.kind === 'list') collect(lists, slot, token, node, sure)
        else {
          if (linesIn(lines, node) > maxLinesOf(slot)) continue
          const best = better(found.get(slot), valueAt(tree, node, slot, page, sure))
          if (best) found.set(slot, best)
        }
      }
    }
  }
  for (const [slot, candidates] of lists) {
    const best = better(found.get(slot), listOf(tree, slot, candidates, page))
    if (best) found.set(slot, best)
  }
  return found
}

function linesIn({ tree, before }: Lines, node: Node): number {
  return (before[endOf(tree, node)] ?? 0) - (before[node] ?? 0)
}

/** An element that says several things is the value of none. */
function maxLinesOf({ names }: SchemaField): number {
  if (names.concept === 'description' || names.concept === 'body' || names.kind === 'image') return Infinity
  return names.kind === 'price' || names.kind === 'rating' || names.kind === 'duration' ? 3 : 2
}

/** Whether it is a text about the whole, which a page may have several of. */
function isSaid({ names }: SchemaField): boolean {
  return names.kind === 'text' || names.kind === 'name'
}

function valueAt(
  tree: Tree,
  node: Node,
  slot: SchemaField,
  page: PageContext,
  sure: number,
): Found | undefined {
  const { spec, names } = slot
  if (spec.kind === 'list') return undefined
  for (const { text, trust } of textsAt(tree, node, slot)) {
    // An amount of money is no word.
    if ((names.kind === 'text' || names.kind === 'name') && isMoney(text) && names.concept !== 'description')
      continue
    if (!fits(text, slot) || (names.concept === 'title' && !isTitled(text, page))) continue
    const value = coerce(spec, nameIn(withoutLabel(text, slot), slot), { ...page, ...names })
    if (value !== undefined) return { value, text, node, reader: 'name', score: sure * trust }
  }
  return undefined
}

/** What an element says: a picture by its address, others by their text or what is said of them. */
function* textsAt(
  tree: Tree,
  node: Node,
  { names, spec }: SchemaField,
): Generator<{ text: string; trust: number }> {
  if (names.kind === 'image') {
    const end = Math.min(endOf(tree, node), node + 60)
    const image = findTag(tree, tag.img, node, end)
    const source = image === none ? undefined : imageSource(tree, image)
    // Faces and signs are pictures of something else.
    if (source && !/avatar|logo|icon|sprite|badge/i.test(source))
      yield { text: source, trust: image === node ? 0.8 : 0.7 }
    return
  }
  const isAddress = names.kind === 'address' || (spec.kind === 'text' && spec.format === 'uri')
  if (isAddress) {
    const href = attribute(tree, node, attr.href)
    if (href) yield { text: href, trust: 1 }
    return
  }
  const stated = attribute(tree, node, attr.content) ?? attribute(tree, node, attr.datetime)
  if (stated) yield { text: stated, trust: 1 }
  const text = shownText(tree, node)
  if (text !== '') yield { text, trust: 1 }
  const said =
    attribute(tree, node, attr['aria-label']) ??
    attribute(tree, node, attr.title) ??
    attribute(tree, node, attr.value)
  if (said) yield { text: said, trust: 0.85 }
}

/** A name without what signs part from it: "Ann Lee · 120 followers". */
function nameIn(text: string, { names }: SchemaField): string {
  return names.kind === 'name' && names.concept !== 'title' ? (text.split(/\s*[·•|]\s*/)[0] ?? text) : text
}

/** "Servings: 4" in an element that is called so. */
function withoutLabel(text: string, { names }: SchemaField): string {
  const colon = text.search(/[:：]/)
  const label = colon > 0 && colon < 40 ? nameWords(text.slice(0, colon)).map(singular) : []
  const isLabel =
    names.phrases.has(phraseOf(label)) || names.own.some((own) => label.some((word) => alike(word, own) > 0))
  if (label.length > 0 && isLabel && /[^\d]$/.test(text.slice(0, colon))) return text.slice(colon + 1).trim()
  const [, by] =
    /^(?:(?:recipe|text|words|story|written|posted|published)\s+)?(?:by|von|par|por|di|door|af|av)\s+(.{2,60})$/i.exec(
      text,
    ) ?? []
  return names.kind === 'name' && by !== undefined ? by : text
}

const maxWords: Record<string, number> = {
  ...{ author: 6, title: 30, category: 8, cuisine: 6, siteName: 6, brand: 6, language: 3, company: 8 },
  ...{ city: 5, country: 5, venue: 12, sku: 4, yield: 8 },
}

function fits(text: string, { names, spec }: SchemaField): boolean {
  if (spec.kind === 'list') return true
  const count = text.split(/\s+/, 60).length
  if (names.kind === 'image' || names.kind === 'address') return true
  if (names.concept === 'description' || names.concept === 'body') return count >= 5
  if (names.concept === 'yield') return /\d/.test(text) && count <= 8
  if (names.concept === 'author' && /\d{3}|@|https?:/.test(text)) return false
  if (names.kind === 'rating') return /\d/.test(text) && count <= 12 && isRating(text)
  if (
    spec.kind === 'number' ||
    spec.kind === 'integer' ||
    names.kind === 'duration' ||
    names.kind === 'price'
  )
    return /\d/.test(text) && count <= 16
  return count <= (maxWords[names.concept ?? ''] ?? (names.kind === 'name' ? 8 : 20))
}

const longestText = 2000

/** Elements of one name, which together may be a list. */
type ListCandidates = Map<string, { nodes: Node[]; sure: number }>

function collect(
  lists: Map<SchemaField, ListCandidates>,
  slot: SchemaField,
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
function listOf(
  tree: Tree,
  slot: SchemaField,
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
  { spec, names }: SchemaField,
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
