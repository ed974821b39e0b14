import { attr, tag } from '../../content/tree/names.ts'
import { attribute, parentOf, tagOf } from '../../content/tree/tree.ts'
import { scoreSemanticType, semanticTypeOf } from '../values/semantic-types.ts'
import { rateOf } from '../vocabulary/units.ts'
import { phraseOf, wordList, words } from '../vocabulary/words.ts'
import { elementWords, pathWords } from './element-names.ts'
import { type FieldReadings, type ReaderInput, readText } from './extracted-value.ts'
import { type Candidate, isMoney, matchingSegments, onlyOne } from './from-shapes.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'

const score = { type: 0.46, link: 0.5, prose: 0.42, rate: 0.52 }
const minWeight = 0.9
const searchRange = { before: 3, after: 10, ofLinks: 40, ofProse: 30 }
const descriptionHeading =
  /^(?:about|description|overview|summary|synopsis|details|beschreibung|über|info|à propos|descri|présentation|resumen)/iu

export function* readByType(input: ReaderInput): FieldReadings {
  const { lines, fields, page, heading } = input
  const near = linesNear(lines, heading)
  const linksByWord = linksNear(lines, heading)
  for (const field of fields) {
    const { spec, names } = field
    if (spec.kind === 'list') yield [field, linkList(field, linksByWord)]
    if (names.isOfOtherEntity || (spec.kind !== 'text' && spec.kind !== 'number' && spec.kind !== 'integer'))
      continue
    if (spec.kind === 'text' && (spec.choices || spec.format !== undefined)) continue
    const candidate = candidateOf(field, { ...input, near, linksByWord })
    yield [field, candidate && readText(field, { ...candidate, reader: 'label' }, page)]
  }
}

const rateWords = wordList('rates')

interface SearchContext extends ReaderInput {
  near: readonly Line[]
  linksByWord: ReadonlyMap<string, Candidate[]>
}

function candidateOf(field: SchemaField, context: SearchContext): Candidate | undefined {
  const { lines, fields, page, heading, near, linksByWord } = context
  const { names, spec } = field
  const rateUnit = names.kind === 'price' ? rateOf(names.own.join(' ')) : undefined
  if (rateUnit !== undefined && names.own.every((word) => rateWords.has(word)))
    return onlySegment(near, (text) => isMoney(text) && rateOf(text) === rateUnit, score.rate)
  if (spec.kind !== 'text') return undefined
  if (names.concept === 'description') return firstProse(linesNear(lines, heading, searchRange.ofProse))
  if (names.concept === 'subtitle') return secondHeading(lines, heading)
  const named =
    (names.concept === 'author' ? authorInTitle(near, page.title) : undefined) ??
    onlyLink(field, linksByWord) ??
    (names.concept === 'company' ? employerIn(near) : undefined)
  if (named) return named
  const semanticType = semanticTypeOf(names.concept)
  const hasTitle = fields.some((other) => other.names.concept === 'title')
  if (semanticType === undefined || (semanticType === 'role' && !hasTitle)) return undefined
  return onlySegment(
    near.filter(({ level }) => level === 0),
    (text) => scoreSemanticType(semanticType, text, page.language) === 1,
    score.type,
  )
}

function onlySegment(near: readonly Line[], test: (text: string) => boolean, confidence: number) {
  const unstruckLines = near.filter(({ isStruck }) => !isStruck)
  return onlyOne(matchingSegments(unstruckLines, (text) => text.length <= 60 && test(text), confidence))
}

function linesNear({ list }: Lines, heading: number, maxLinesAfter: number = searchRange.after): Line[] {
  const following = list.slice(heading + 1, heading + 1 + maxLinesAfter)
  const isDescriptionHeading = (text: string) =>
    maxLinesAfter > searchRange.after && descriptionHeading.test(text)
  // A heading directly after the main heading is a subtitle.
  const next = following.findIndex(
    ({ level, text }, at) => at > 0 && level > 0 && level < 4 && !isDescriptionHeading(text),
  )
  const preceding = list.slice(Math.max(0, heading - searchRange.before), heading)
  const near = [...preceding, ...(next < 0 ? following : following.slice(0, next))]
  return near.filter(({ weight }) => weight >= minWeight)
}

function firstProse(near: readonly Line[]): Candidate | undefined {
  const isProse = (text: string) => words(text).length >= 8 && /[.!?…。]["”»]?$/u.test(text)
  const line = near.find(({ text, level }) => level === 0 && text.length >= 50 && isProse(text))
  return line && { text: line.text, node: line.first, score: score.prose }
}

function employerIn(near: readonly Line[]): Candidate | undefined {
  const found = matchingSegments(near, (text) => employerPattern.test(text), score.type).next().value
  return found && { ...found, text: found.text.replace(employerPattern, '$1') }
}

const employerPattern = /^(?:at|bei|chez|presso) (\p{Lu}[^.!?]{1,50})$/u

function secondHeading({ list }: Lines, heading: number): Candidate | undefined {
  const [first, second, third] = list.slice(heading, heading + 3)
  if (!first || !second || second.level <= first.level || first.level === 0 || third?.level !== 0)
    return undefined
  return { text: second.text, node: second.first, score: score.prose }
}

const byInTitle = /\s(?:by|von|par|door|av)\s+((?:\p{Lu}[\p{L}\p{M}.'’-]*\s?){2,4})(?=$|[\s,|–—·(-])/u

function authorInTitle(near: readonly Line[], title: string): Candidate | undefined {
  const name = byInTitle.exec(title.slice(0, 300))?.[1]?.trim()
  return matchingSegments(near, (text) => text === name, score.link).next().value
}

function linkList({ names, spec }: SchemaField, linksByWord: ReadonlyMap<string, Candidate[]>) {
  if (spec.kind !== 'list' || spec.item.kind !== 'text' || names.concept !== 'keywords') return undefined
  for (const [phrase, weight] of names.phrases) {
    const links = weight < 0.75 ? [] : (linksByWord.get(phrase) ?? [])
    const texts = links.map(({ text }) => text)
    const value = [...new Set(texts)]
    if (links[0]) return { ...links[0], value, text: texts.join(', '), reader: 'label' as const }
  }
  return undefined
}

function linksNear({ tree, list, weights }: Lines, heading: number): Map<string, Candidate[]> {
  const linksByWord = new Map<string, Candidate[]>()
  const first = list[Math.max(0, heading - searchRange.before)]?.first ?? 0
  const parent = parentOf(tree, first)
  const from = tagOf(tree, parent) === tag.a ? parent : first
  const to = list[heading + searchRange.ofLinks]?.first ?? tree.count
  for (let node = Math.max(1, from); node < to; node += 1) {
    if (tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < minWeight) continue
    const text = shownText(tree, node)
    if (text === '' || text.length > 60) continue
    for (const word of pathWords(attribute(tree, node, attr.href) ?? '').slice(0, -1)) {
      const phrase = phraseOf(elementWords(word))
      const links = linksByWord.get(phrase) ?? []
      linksByWord.set(phrase, links)
      if (links.length < maxLinksPerWord) links.push({ text, node, score: score.link })
    }
  }
  return linksByWord
}

const maxLinksPerWord = 50

function onlyLink({ names }: SchemaField, linksByWord: ReadonlyMap<string, Candidate[]>) {
  if (names.kind !== 'name' || names.concept === 'title') return undefined
  const links = [...names.phrases].flatMap(([phrase, weight]) =>
    weight < 0.75 ? [] : (linksByWord.get(phrase) ?? []),
  )
  return onlyOne(links.filter(({ text }) => !/\d/.test(text)))
}
