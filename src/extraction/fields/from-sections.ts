import { tag } from '../../content/tree/names.ts'
import { endOf, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, wordList, words } from '../vocabulary/words.ts'
import { better, type Found, type PageContext } from './extracted-value.ts'
import { splitText } from './from-items.ts'
import type { Line, Lines } from './lines.ts'
import type { NamedField, PhraseIndex, SchemaField } from './schema-fields.ts'

const maxWordsOfHeading = 7
/** Below this the lines are those of another section. */
const minScore = 0.47
const minOfOwn = 0.8

/** Lists and texts that stand below a heading which names them. */
export function readSections(lines: Lines, index: PhraseIndex, page: PageContext): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  for (const [at, line] of lines.list.entries()) {
    if (line.words.length > maxWordsOfHeading) continue
    for (const { slot, weight } of headingOf(line, index)) {
      const isList = slot.spec.kind === 'list'
      const isLong =
        slot.names.concept === 'description' || slot.names.concept === 'body' || slot.names.kind === 'steps'
      // What nobody knows the look of may be a paragraph below a heading of its very name.
      const isOwn =
        slot.names.kind === undefined && slot.spec.kind === 'text' && line.level > 0 && weight >= minOfOwn
      if (!isList && !isLong && !isOwn) continue
      const section = sectionAfter(lines, at)
      const value = section.length === 0 ? undefined : foundIn(lines.tree, slot, section, page)
      const sure = (line.level > 0 ? 0.85 : 0.7) * weight * line.weight
      if (!value) continue
      const fit = fitness(slot, section)
      const best = better(found.get(slot), { ...value, score: sure * fit })
      if (best && best.score >= minScore) found.set(slot, best)
    }
  }
  return found
}

function headingOf({ words, text }: Line, index: PhraseIndex): readonly NamedField[] {
  const bare = text.replace(/[:：]\s*$/, '')
  if (/[:：]/.test(bare)) return []
  const whole = index.get(phraseOf(words))
  if (whole) return whole
  // "Ingredients for the dough", "What you need: Ingredients", "Zutaten für 4 Personen".
  const size = Math.min(3, words.length)
  for (let length = size; length > 0; length -= 1) {
    const front = index.get(phraseOf(words.slice(0, length)))
    if (front && words.length <= length + 4)
      return front
        .filter(({ slot }) => slot.names.concept !== 'description')
        .map(({ slot, weight }) => ({ slot, weight: weight * 0.85 }))
  }
  for (let length = size; length > 0; length -= 1) {
    const back = index.get(phraseOf(words.slice(-length)))
    if (back && words.length <= length + 3)
      return back.map(({ slot, weight }) => ({ slot, weight: weight * 0.8 }))
  }
  return []
}

/** How well the lines fit: quantities begin with a number, steps are sentences. */
function fitness({ names }: SchemaField, section: readonly Line[]): number {
  if (names.concept === 'ingredients') {
    const counted = section.filter(({ text }) => /^[\d¼½¾⅓⅔⅛]/.test(text)).length / section.length
    const isShort = section.filter(({ text }) => text.length < 120).length / section.length
    return 0.6 + 0.25 * counted + 0.15 * isShort
  }
  if (names.concept === 'instructions') {
    const sentences = section.filter(({ text }) => text.length > 30).length / section.length
    return 0.6 + 0.4 * sentences
  }
  return 1
}

function foundIn(
  tree: Tree,
  { spec, names }: SchemaField,
  section: readonly Line[],
  page: PageContext,
): Found | undefined {
  const context = { ...page, ...names }
  const [first] = section
  if (!first) return undefined
  const texts = merged(tree, section)
  if (prose.has(names.concept ?? '') && !areSteps(texts)) return undefined
  const text = texts.join('\n')
  const base = { text: text.slice(0, 2000), node: first.first, reader: 'section' as const, score: 1 }
  if (spec.kind === 'list') {
    const parts = texts.length === 1 ? splitText(text, names) : texts
    const entries = parts.map((part) => coerce(spec.item, part, context)).filter((part) => part !== undefined)
    return entries.length === 0 ? undefined : { ...base, value: entries.slice(0, spec.most) }
  }
  const value = coerce(spec, text, context)
  return value === undefined ? undefined : { ...base, value }
}

const prose = new Set(['ingredients', 'instructions', 'responsibilities'])

/** One word is no step, and neither is the name of another section. */
function areSteps(texts: readonly string[]): boolean {
  const said = texts.filter(
    (text) => text.split(/\s+/, 3).length > 1 && !isKnownLabel(phraseOf(words(text.slice(0, 60)))),
  )
  return said.length > 0 && (texts.length > 1 || (said[0] ?? '').length > 40)
}

/** Lines of one item belong together. */
function merged(tree: Tree, section: readonly Line[]): string[] {
  const texts: string[] = []
  let [last, before]: (Node | undefined)[] = [undefined, undefined]
  for (const { text, holder } of section) {
    const item = itemAround(tree, holder)
    // Breaks part the entries of a cell, but not those of an item.
    const isBroken = holder === before && tagOf(tree, holder) === tag.td
    if (item !== undefined && item === last && !isBroken) texts[texts.length - 1] += ` ${text}`
    else texts.push(text)
    last = item
    before = holder
  }
  return texts
    .map((text) => text.replace(/^(?:[▢□☐•·\-–*]\s*|\d{1,2}[.)]\s+(?=\p{Lu}))/u, '').trim())
    .filter(Boolean)
}

function itemAround(tree: Tree, holder: Node): Node | undefined {
  for (let node = holder, up = 0; node > root && up < 8; node = parentOf(tree, node), up += 1) {
    const name = tagOf(tree, node)
    if (name === tag.li || name === tag.tr) return node
  }
  return undefined
}

const maxLevels = 6
const maxItems = 500

/** The lines of the section that a heading begins: of its items, where it has any. */
export function sectionAfter({ tree, list, before }: Lines, at: number): Line[] {
  const heading = list[at]
  if (!heading) return []
  let loose: Line[] = []
  let node = heading.holder
  for (let up = 0; up < maxLevels && node > root; up += 1, node = parentOf(tree, node)) {
    const last = before[endOf(tree, node)] ?? list.length
    if (last <= at + 1) continue
    const range = untilNext(tree, list, at, last)
    const items = range.filter((line) => isInItem(tree, line.holder, node))
    if (items.length >= 2) return items
    if (loose.length === 0 && range.length > 0) loose = range
    // What follows another heading is not looked for further out.
    if (at + 1 + range.length < last)
      return items.length > 0 ? items : loose.length > 1 || range.length === 0 ? loose : range
  }
  return loose
}

function untilNext(tree: Tree, list: readonly Line[], at: number, last: number): Line[] {
  const heading = list[at]
  const found: Line[] = []
  for (let next = at + 1; next < last && found.length < maxItems; next += 1) {
    const line = list[next]
    if (!line || !heading || line.weight < heading.weight - 0.3) break
    if (line.level > 0 && heading.level > 0 && line.level <= heading.level) break
    if (heading.level === 0 && line.level > 0 && found.length > 0 && isKnownLabel(phraseOf(line.words))) break
    if (line.words.length <= 3 && line.text.length < 40 && sectionLabels.has(phraseOf(line.words))) break
    if (found.length > 0 && isBesides(tree, heading, line, found[0])) break
    found.push(line)
  }
  return found.filter((line) => line.level === 0)
}

/** Whether a short line is made as the one that began the section, and what stands between is not. */
function isBesides(tree: Tree, heading: Line, line: Line, first: Line | undefined): boolean {
  if (
    heading.level > 0 ||
    line.text.length > 60 ||
    line.words.length > 7 ||
    /^(?:for|für|pour|para|per|to)\b|[.!?;,]$/iu.test(line.text)
  )
    return false
  const isMade = ({ holder }: Line) =>
    tagOf(tree, holder) === tagOf(tree, heading.holder) &&
    parentOf(tree, holder) === parentOf(tree, heading.holder)
  return isMade(line) && first !== undefined && !isMade(first)
}

/** Labels with which another section begins, whatever it is made of. */
const sectionLabels = wordList('sectionLabels')

function isInItem(tree: Tree, holder: Node, within: Node): boolean {
  for (let node = holder; node > within; node = parentOf(tree, node)) {
    const name = tagOf(tree, node)
    if (name === tag.li || name === tag.tr || name === tag.dd) return true
  }
  return false
}
