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
import { nameWords, phraseOf, singular } from '../vocabulary/words.ts'
import { matchesOf, tokensOf } from './element-names.ts'
import {
  coerceTexts,
  type FieldReadings,
  type MaybeValue,
  type PageContext,
  type ReaderInput,
} from './extracted-value.ts'
import { splitText } from './from-items.ts'
import { isRating } from './from-labels.ts'
import { isMoney } from './from-shapes.ts'
import { linesIn } from './lines.ts'
import { type NamedField, type SchemaField, wordSimilarity } from './schema-fields.ts'
import { shownText } from './shown-text.ts'
import { isTitled } from './subject.ts'

const maxMatches = 4000

/** Reads values from elements whose class, id or data attribute names the field: `class="recipe-author"`. */
export function* readNames({ lines, index, page }: ReaderInput, subject: Node): FieldReadings {
  const { tree, weights } = lines
  const matchCache = new Map<string, NamedField[]>()
  const listCandidates: ListCandidate[] = []
  let matches = 0
  for (let node = 1; node < tree.count && matches < maxMatches; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) === 0 || tagOf(tree, node) === tag.script) continue
    for (const token of tokensOf(tree, node)) {
      for (const { field, weight } of matchesOf(token, index, matchCache)) {
        matches += 1
        // The page URL is read from the page head.
        if (field.names.concept === 'url') continue
        const isInSubject = subject !== none && isInside(tree, node, subject)
        // A page may contain several elements with the class name of a text.
        const isReliable = isInSubject && isTextOrName(field)
        const confidence = weight * (weights[node] ?? 1) * (isReliable ? 1 : 0.72)
        if (field.spec.kind === 'list') listCandidates.push({ field, token, node, confidence })
        else if (linesIn(lines, node) <= maxLinesOf(field))
          yield [field, valueAt(tree, node, field, page, confidence)]
      }
    }
  }
  for (const [field, candidates] of Map.groupBy(listCandidates, ({ field }) => field))
    yield* readLists(tree, field, candidates, page)
}

function maxLinesOf({ names }: SchemaField): number {
  if (names.concept === 'description' || names.concept === 'body' || names.kind === 'image') return Infinity
  return names.kind === 'price' || names.kind === 'rating' || names.kind === 'duration' ? 3 : 2
}

const isTextOrName = ({ names: { kind } }: SchemaField) => kind === 'text' || kind === 'name'

function valueAt(
  tree: Tree,
  node: Node,
  field: SchemaField,
  page: PageContext,
  confidence: number,
): MaybeValue {
  const { names } = field
  for (const { text, trust } of textsAt(tree, node, field)) {
    if (isTextOrName(field) && isMoney(text) && names.concept !== 'description') continue
    if (!fits(text, field) || (names.concept === 'title' && !isTitled(text, page))) continue
    const value = coerceTexts(field, [nameIn(withoutLabel(text, field), field)], page)
    if (value !== undefined) return { value, text, node, reader: 'name', score: confidence * trust }
  }
  return undefined
}

function* textsAt(tree: Tree, node: Node, { names, spec }: SchemaField) {
  if (names.kind === 'image') {
    const image = findTag(tree, tag.img, node, Math.min(endOf(tree, node), node + 60))
    const imageUrl = image === none ? undefined : imageSource(tree, image)
    // Avatars and logos do not show the subject.
    if (imageUrl && !/avatar|logo|icon|sprite|badge/i.test(imageUrl))
      yield { text: imageUrl, trust: image === node ? 0.8 : 0.7 }
    return
  }
  if (names.kind === 'address' || (spec.kind === 'text' && spec.format === 'uri')) {
    const href = attribute(tree, node, attr.href)
    if (href) yield { text: href, trust: 1 }
    return
  }
  const attributeText = attribute(tree, node, attr.content) ?? attribute(tree, node, attr.datetime)
  if (attributeText) yield { text: attributeText, trust: 1 }
  const text = shownText(tree, node)
  if (text !== '') yield { text, trust: 1 }
  const label =
    attribute(tree, node, attr['aria-label']) ??
    attribute(tree, node, attr.title) ??
    attribute(tree, node, attr.value)
  if (label) yield { text: label, trust: 0.85 }
}

function nameIn(text: string, { names }: SchemaField): string {
  return names.kind === 'name' && names.concept !== 'title' ? (text.split(/\s*[·•|]\s*/)[0] ?? text) : text
}

function withoutLabel(text: string, { names }: SchemaField): string {
  const colon = text.search(/[:：]/)
  const label = colon > 0 && colon < 40 ? nameWords(text.slice(0, colon)).map(singular) : []
  const isLabel =
    names.phrases.has(phraseOf(label)) ||
    names.own.some((own) => label.some((word) => wordSimilarity(word, own) > 0))
  if (label.length > 0 && isLabel && /[^\d]$/.test(text.slice(0, colon))) return text.slice(colon + 1).trim()
  const [, name] =
    /^(?:(?:recipe|text|words|story|written|posted|published)\s+)?(?:by|von|par|por|di|door|af|av)\s+(.{2,60})$/i.exec(
      text,
    ) ?? []
  return names.kind === 'name' && name !== undefined ? name : text
}

const maxWords: Record<string, number> = {
  ...{ author: 6, title: 30, category: 8, cuisine: 6, siteName: 6, brand: 6, language: 3, company: 8 },
  ...{ city: 5, country: 5, venue: 12, sku: 4, yield: 8 },
}

function fits(text: string, { names, spec }: SchemaField): boolean {
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

const maxTextLength = 2000

interface ListCandidate {
  field: SchemaField
  token: string
  node: Node
  confidence: number
}

function* readLists(
  tree: Tree,
  field: SchemaField,
  candidates: ListCandidate[],
  page: PageContext,
): FieldReadings {
  const { spec, names } = field
  for (const group of Map.groupBy(candidates, ({ token }) => token).values()) {
    const nodes = group.slice(0, 500).map(({ node }) => node)
    const confidence = Math.max(...group.map((candidate) => candidate.confidence))
    const items = nodes.length > 1 ? outermost(tree, nodes) : itemsIn(tree, nodes[0] ?? 0)
    const texts = items.map((node) => shownText(tree, node)).filter((text) => text !== '')
    const entryTexts = texts.length === 1 ? splitText(texts[0] ?? '', names) : texts
    const plainTexts = entryTexts.map((text) => text.replace(/^(?:[▢□☐•·]\s*)/u, ''))
    const entries = coerceTexts(field, plainTexts, page)
    if (spec.kind !== 'list' || !Array.isArray(entries)) continue
    if (names.kind === 'steps' && entryTexts.length < 2) continue
    const value = entries.slice(0, spec.maxItems)
    const text = entryTexts.join('\n').slice(0, maxTextLength)
    const score = confidence * Math.min(1, 0.85 + entryTexts.length * 0.02)
    yield [field, { value, text, node: items[0] ?? 0, score, reader: 'name' }]
  }
}

function outermost(tree: Tree, nodes: readonly Node[]): Node[] {
  const outermostNodes: Node[] = []
  for (const node of nodes) {
    const last = outermostNodes.at(-1)
    if (last === undefined || node >= endOf(tree, last)) outermostNodes.push(node)
  }
  return outermostNodes.length === 1 ? itemsIn(tree, outermostNodes[0] ?? 0) : outermostNodes
}

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

function partsIn(tree: Tree, node: Node): Node[] {
  const parts: Node[] = []
  for (let at = node + 1; at < endOf(tree, node) && parts.length < 100; at = endOf(tree, at)) {
    if (!isText(tree, at)) parts.push(at)
    else if (/[\p{L}\p{N}]/u.test(textAt(tree, at))) return [node]
  }
  return parts.length > 1 && parts.every((part) => tagOf(tree, part) === tagOf(tree, parts[0] ?? 0))
    ? parts
    : [node]
}
