import { attr, tag } from '../../content/tree/names.ts'
import { attribute, isText, type Node, parentOf, type Tree, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { isOfType, semanticTypeOf } from '../values/semantic-types.ts'
import { rateOf } from '../vocabulary/units.ts'
import { phraseOf, wordList, words } from '../vocabulary/words.ts'
import { elementWords, pathWords } from './element-names.ts'
import type { Found, PageContext } from './extracted-value.ts'
import { type Candidate, isMoney, onlyOne, partsOf } from './from-shapes.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'

const score = { sort: 0.46, lead: 0.5, prose: 0.42, rate: 0.52 }
const minWeight = 0.9
/** Lines around the heading that say what a thing is. */
const reach = { before: 3, behind: 10, ofLinks: 40, ofProse: 30 }
/** Headings above what describes a thing. */
const ofProse =
  /^(?:about|description|overview|summary|synopsis|details|beschreibung|über|info|à propos|descri|présentation|resumen)/iu

/** Values that have no label and are known by what they can be, by where they lead, or by standing first. */
export function readByType(
  lines: Lines,
  slots: readonly SchemaField[],
  page: PageContext,
  heading: number,
): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  const near = below(lines, heading)
  const leads = leadsNear(lines, heading)
  for (const slot of slots) {
    const { spec, names } = slot
    const listed = spec.kind === 'list' ? listOfLeads(slot, leads) : undefined
    if (listed) found.set(slot, listed)
    if (names.isOfOther || (spec.kind !== 'text' && spec.kind !== 'number' && spec.kind !== 'integer'))
      continue
    if (spec.kind === 'text' && (spec.choices || spec.format !== undefined)) continue
    const candidate = candidateOf(slot, slots, { lines, heading, near, leads }, page)
    const value = candidate && coerce(spec, candidate.text, { ...page, ...names })
    if (candidate && value !== undefined) found.set(slot, { ...candidate, value, reader: 'label' })
  }
  return found
}

/** A name of these words says nothing but that it is a price by something. */
const ofRates = wordList('rates')

interface Around {
  lines: Lines
  heading: number
  near: readonly Line[]
  leads: ReadonlyMap<string, Lead[]>
}

function candidateOf(
  slot: SchemaField,
  slots: readonly SchemaField[],
  { lines, heading, near, leads }: Around,
  page: PageContext,
): Candidate | undefined {
  const { names, spec } = slot
  const rate = names.kind === 'price' ? rateOf(names.own.join(' ')) : undefined
  if (rate !== undefined && names.own.every((word) => ofRates.has(word)))
    return only(near, (text) => isMoney(text) && rateOf(text) === rate, score.rate)
  if (spec.kind !== 'text') return undefined
  if (names.concept === 'description') return firstProse(below(lines, heading, reach.ofProse))
  if (names.concept === 'subtitle') return secondHeading(lines, heading)
  if (names.concept === 'author') {
    const author = authorInTitle(near, page.title)
    if (author) return author
  }
  const lead = leadOf(slot, leads)
  if (lead) return lead
  const employer = names.concept === 'company' ? employerIn(near) : undefined
  if (employer) return employer
  const sort = semanticTypeOf(names.concept)
  if (sort === undefined || (sort === 'role' && !slots.some((one) => one.names.concept === 'title')))
    return undefined
  return only(
    near.filter(({ level }) => level === 0),
    (text) => isOfType(sort, text, page.language) === 1,
    score.sort,
  )
}

/** The only part of a line that passes the test; undefined where two different ones do. */
function only(near: readonly Line[], test: (text: string) => boolean, sure: number): Candidate | undefined {
  const shown = near.filter(({ isStruck }) => !isStruck)
  return onlyOne(partsOf(shown, (text) => text.length <= 60 && test(text), sure))
}

/** The lines around the heading, up to the next one. */
function below({ list }: Lines, heading: number, most: number = reach.behind): Line[] {
  const behind = list.slice(heading + 1, heading + 1 + most)
  // The second of two headings in a row is said of the first.
  const next = behind.findIndex(
    ({ level, text }, at) => at > 0 && level > 0 && level < 4 && !(most > reach.behind && ofProse.test(text)),
  )
  return [
    ...list.slice(Math.max(0, heading - reach.before), heading),
    ...(next < 0 ? behind : behind.slice(0, next)),
  ].filter(({ weight }) => weight >= minWeight)
}

/** The first sentences below the heading. */
function firstProse(near: readonly Line[]): Candidate | undefined {
  const line = near.find(
    ({ text, level }) =>
      level === 0 && text.length >= 50 && words(text).length >= 8 && /[.!?…。]["”»]?$/u.test(text),
  )
  return line && { text: line.text, node: line.first, score: score.prose }
}

/** "at Acme Grid" below the name of a job. */
function employerIn(near: readonly Line[]): Candidate | undefined {
  for (const { segments, first } of near)
    for (const text of segments) {
      const [, name] = /^(?:at|bei|chez|presso) (\p{Lu}[^.!?]{1,50})$/u.exec(text) ?? []
      if (name !== undefined) return { text: name, node: first, score: score.sort }
    }
  return undefined
}

/** A heading right below the heading. */
function secondHeading({ list }: Lines, heading: number): Candidate | undefined {
  const [first, second, third] = list.slice(heading, heading + 3)
  if (!first || !second || second.level <= first.level || first.level === 0 || third?.level !== 0)
    return undefined
  return { text: second.text, node: second.first, score: score.prose }
}

const byInTitle = /\s(?:by|von|par|door|av)\s+((?:\p{Lu}[\p{L}\p{M}.'’-]*\s?){2,4})(?=$|[\s,|–—·(-])/u

/** The name that the title of the page says is the author's, where it stands by itself near the heading. */
function authorInTitle(near: readonly Line[], title: string): Candidate | undefined {
  const name = byInTitle.exec(title.slice(0, 300))?.[1]?.trim()
  const line = name === undefined ? undefined : near.find(({ segments }) => segments.includes(name))
  return line && name !== undefined ? { text: name, node: line.first, score: score.lead } : undefined
}

/** Links that lead to things of the name: the tags of an article. */
function listOfLeads({ names, spec }: SchemaField, leads: ReadonlyMap<string, Lead[]>): Found | undefined {
  if (spec.kind !== 'list' || spec.item.kind !== 'text' || names.concept !== 'keywords') return undefined
  for (const [phrase, weight] of names.phrases) {
    const links = weight < 0.75 ? [] : (leads.get(phrase) ?? [])
    const [first] = links
    if (first)
      return {
        ...{ value: [...new Set(links.map(({ text }) => text))], node: first.node, reader: 'label' },
        ...{ text: links.map(({ text }) => text).join(', '), score: score.lead },
      }
  }
  return undefined
}

interface Lead {
  text: string
  node: Node
}

/** What links near the heading are called, by the words of their addresses. */
function leadsNear({ tree, list, weights }: Lines, heading: number): Map<string, Lead[]> {
  const leads = new Map<string, Lead[]>()
  const from = list[Math.max(0, heading - reach.before)]?.first ?? 0
  const to = list[heading + reach.ofLinks]?.first ?? tree.count
  for (let node = Math.max(1, firstAround(tree, from)); node < to; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < minWeight) continue
    const text = shownText(tree, node)
    if (text === '' || text.length > 60) continue
    for (const word of pathWords(attribute(tree, node, attr.href) ?? '').slice(0, -1)) {
      const phrase = phraseOf(elementWords(word))
      const known = leads.get(phrase)
      if (!known) leads.set(phrase, [{ text, node }])
      else if (known.length < mostOfLead) known.push({ text, node })
    }
  }
  return leads
}

const mostOfLead = 50

const firstAround = (tree: Tree, node: Node) =>
  tagOf(tree, parentOf(tree, node)) === tag.a ? parentOf(tree, node) : node

/** The only link that leads to a thing of the name: "/brands/holm". */
function leadOf({ names }: SchemaField, leads: ReadonlyMap<string, Lead[]>): Candidate | undefined {
  if (names.kind !== 'name' || names.concept === 'title') return undefined
  const links = [...names.phrases].flatMap(([phrase, weight]) =>
    weight < 0.75 ? [] : (leads.get(phrase) ?? []),
  )
  return onlyOne(links.filter(({ text }) => !/\d/.test(text)).map((link) => ({ ...link, score: score.lead })))
}
