import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isInside,
  isText,
  type Node,
  none,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { nameWords, phraseOf, singular } from '../vocabulary/words.ts'
import { type Match, matchesOf, tokensOf } from './element-names.ts'
import { better, type Found } from './found.ts'
import { isRating } from './from-labels.ts'
import type { Lines } from './lines.ts'
import { collect, type ListCandidates, listOf } from './listed-elements.ts'
import { alike } from './near-names.ts'
import type { PageContext } from './page-context.ts'
import { isMoney } from './shapes.ts'
import { shownText } from './shown-text.ts'
import type { PhraseIndex, Slot } from './slots.ts'
import { isTitled } from './subject-title.ts'

const mostMatches = 4000
/** A name inside the part that holds the other fields is surer. */
const inSubject = 1

/** Values in elements whose classes, ids or attributes of data name them: `class="recipe-author"`. */
export function readNames(
  lines: Lines,
  index: PhraseIndex,
  page: PageContext & { subject: Node },
): Map<Slot, Found> {
  const { tree, weights } = lines
  const found = new Map<Slot, Found>()
  const known = new Map<string, Match[]>()
  const lists = new Map<Slot, ListCandidates>()
  let matches = 0
  for (let node = 1; node < tree.count && matches < mostMatches; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) === 0 || tagOf(tree, node) === tag.script) continue
    for (const token of tokensOf(tree, node)) {
      for (const { slot, weight } of matchesOf(token, index, known)) {
        matches += 1
        // The address of the page stands in its head.
        if (slot.names.concept === 'url') continue
        const isInSubject = page.subject !== none && isInside(tree, node, page.subject)
        const sure = weight * (weights[node] ?? 1) * (isInSubject && isSaid(slot) ? inSubject : 0.72)
        if (slot.spec.kind === 'list') collect(lists, slot, token, node, sure)
        else {
          if (linesIn(lines, node) > mostLinesOf(slot)) continue
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
function mostLinesOf({ names }: Slot): number {
  if (names.concept === 'description' || names.concept === 'body' || names.kind === 'image') return Infinity
  return names.kind === 'price' || names.kind === 'rating' || names.kind === 'duration' ? 3 : 2
}

/** Whether it is a text about the whole, which a page may have several of. */
function isSaid({ names }: Slot): boolean {
  return names.kind === 'text' || names.kind === 'name'
}

function valueAt(tree: Tree, node: Node, slot: Slot, page: PageContext, sure: number): Found | undefined {
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
function* textsAt(tree: Tree, node: Node, { names, spec }: Slot): Generator<{ text: string; trust: number }> {
  const name = tagOf(tree, node)
  if (names.kind === 'image') {
    const image = name === tag.img ? node : firstImage(tree, node)
    const source = image === undefined ? undefined : imageSource(tree, image)
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

function firstImage(tree: Tree, node: Node): Node | undefined {
  const end = Math.min(endOf(tree, node), node + 60)
  for (let at = node + 1; at < end; at += 1) if (tagOf(tree, at) === tag.img) return at
  return undefined
}

/** A name without what signs part from it: "Ann Lee · 120 followers". */
function nameIn(text: string, { names }: Slot): string {
  return names.kind === 'name' && names.concept !== 'title' ? (text.split(/\s*[·•|]\s*/)[0] ?? text) : text
}

/** "Servings: 4" in an element that is called so. */
function withoutLabel(text: string, { names }: Slot): string {
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

const mostWords: Record<string, number> = {
  author: 6,
  title: 30,
  category: 8,
  cuisine: 6,
  siteName: 6,
  brand: 6,
  language: 3,
  company: 8,
  city: 5,
  country: 5,
  venue: 12,
  sku: 4,
  yield: 8,
}

function fits(text: string, { names, spec }: Slot): boolean {
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
  return count <= (mostWords[names.concept ?? ''] ?? (names.kind === 'name' ? 8 : 20))
}
