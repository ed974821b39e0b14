import type { Found, ReaderName } from '../fields/found.ts'
import type { PageContext } from '../fields/page-context.ts'
import { type ReadablePage, readFields } from '../fields/read-fields.ts'
import { type Slot, slotsOf } from '../fields/slots.ts'
import type { ObjectSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import { headTitle, mostTitles, withoutAffixes } from './affixes.ts'
import { readElements } from './elements.ts'
import { sketchOf, templateOf } from './fingerprint.ts'
import { hashText } from './hash.ts'
import {
  askedAgain,
  type FieldMemory,
  mostAbsent,
  mostFields,
  mostTaught,
  parseMemory,
  type Template,
} from './memory.ts'
import { type FieldObservation, type Lesson, type Observation, observe } from './observe.ts'
import { type Recalled, recall } from './recall.ts'
import { isSameValue } from './same-value.ts'

/** What is known of pages alike when a page is read. */
export interface LearnedOrder {
  /** As it is stored; undefined where nothing was learned yet. */
  memory: string | undefined
  /** What a language model has found on this page, and what it was asked for in vain. */
  taught?: { values: Record<string, unknown>; absent: readonly string[] }
  /** What pages alike do not state is asked for all the same. */
  asksAll?: boolean
}

export interface LearnedReading {
  /** What the page teaches; undefined where that is nothing. */
  observation: Observation | undefined
  /** Fields that pages alike do not state: a language model need not be asked. */
  unasked: string[]
}

/** Fills in what learned places say, takes out what rules have got wrong on pages alike, and notes what the page teaches. */
export function useLearned(
  page: ReadablePage,
  spec: ObjectSpec,
  found: Map<string, Found>,
  order: LearnedOrder,
): LearnedReading {
  const { lines, context } = page
  const slots = slotsOf(spec).slice(0, mostFields)
  const sketch = sketchOf(lines)
  const template = templateOf(parseMemory(order.memory).templates, sketch)
  const lessons = lessonsOf(page, spec, { slots, found, template, taught: order.taught })
  const hasPlaces = template && Object.values(template.fields).some(({ places }) => places.length > 0)
  const seeksMore = (template?.taught ?? 0) < mostTaught || order.taught !== undefined
  const isTaught =
    order.taught !== undefined ||
    lessons.some(({ value, isUnanswered }) => value !== undefined || isUnanswered)
  const number = hashText(context.url.replace(originOf, ''))
  const elements = hasPlaces || (isTaught && seeksMore) ? readElements(lines) : undefined
  if (template && elements) {
    for (const slot of slots) {
      const field = fieldOf(template, slot.path)
      if (!field || isSure(slot.path, found.get(slot.path))) continue
      apply(found, slot.path, field, recall(elements, slot, { field, template }, context))
    }
  }
  const fields =
    elements && isTaught
      ? {
          ...withoutPlaces(spec, order.taught),
          ...observe(elements, lessons, { template, seeksMore }, context),
        }
      : undefined
  const isNews = fields && (seeksMore || Object.values(fields).some(({ failed }) => failed.length > 0))
  const titles = readTitles(found, { slots, template, number }, context)
  return {
    observation:
      isNews || Object.keys(titles).length > 0
        ? { page: number, sketch, titles, fields: isNews ? fields : {} }
        : undefined,
    unasked: template && !order.asksAll ? rarelyAsked(spec, template, found, number) : [],
  }
}

/** A site may be reached by several names. */
const originOf = /^[a-z]+:\/\/[^/?#]*/i

const strong: readonly ReaderName[] = ['json-ld', 'microdata', 'rdfa']
const leastSure = 0.6

/** Stated by structured data, under a property that means the field or has its name. */
function isSure(path: string, found: Found | undefined): found is Found {
  if (found === undefined || !strong.includes(found.reader)) return false
  return found.score >= leastSure || nameAt(found.path ?? '') === nameAt(path)
}

const nameAt = (path: string) => path.slice(path.lastIndexOf('.') + 1)

const fieldOf = (template: Template | undefined, path: string): FieldMemory | undefined =>
  template && Object.hasOwn(template.fields, path) ? template.fields[path] : undefined

interface Known {
  slots: Slot[]
  found: ReadonlyMap<string, Found>
  template: Template | undefined
  taught: LearnedOrder['taught']
}

/** What is known for sure: by structured data, or by a language model with its quotes. */
function lessonsOf(
  page: ReadablePage,
  spec: ObjectSpec,
  { slots, found, template, taught }: Known,
): Lesson[] {
  const hasData = slots.some(({ path }) => isSure(path, found.get(path)))
  // A page alone is read once; the next one of its template twice, to see what rules are worth there.
  const isSecond = template !== undefined && template.taught < mostTaught
  const byRules = hasData && isSecond ? readFields({ ...page, sources: [] }, spec) : undefined
  const unanswered = new Set(taught?.absent)
  return slots.flatMap((slot): Lesson[] => {
    const { path } = slot
    const read = found.get(path)
    const told = taught && Object.hasOwn(taught.values, path) ? taught.values[path] : undefined
    const lesson = { slot, value: told, isUnanswered: false, isInData: false, rules: undefined }
    if (told !== undefined) return [lesson]
    const ruled = byRules?.get(path)
    if (isSure(path, read)) {
      const rules = ruled && (isSameValue(ruled.value, read.value) ? 'right' : 'wrong')
      return [{ ...lesson, value: read.value, isInData: true, rules }]
    }
    if (unanswered.has(path)) return [{ ...lesson, isUnanswered: true }]
    // The data of pages alike has it, and that of this page does not.
    const isLeftOut = hasData && (fieldOf(template, path)?.inData ?? 0) > 0
    return isLeftOut ? [{ ...lesson, rules: ruled && 'wrong' }] : []
  })
}

/** A rule that found nothing on pages alike has to be so sure. */
const leastRule = 0.6

function apply(found: Map<string, Found>, path: string, { rules }: FieldMemory, recalled: Recalled): void {
  const ruled = found.get(path)
  const isDistrusted = rules.wrong > 0 && rules.wrong >= rules.right
  if (recalled !== undefined && recalled !== 'absent') {
    const isRulePreferred =
      ruled &&
      (isSameValue(ruled.value, recalled.found.value) || (!isDistrusted && rules.right >= recalled.seen))
    if (!isRulePreferred) found.set(path, recalled.found)
    return
  }
  if (!ruled) return
  const isDoubtful = recalled === 'absent' && rules.right === 0 && ruled.score < leastRule
  if (isDistrusted || isDoubtful) found.delete(path)
}

/** Titles that only the head states: takes out what pages alike have in common, and answers those that are news. */
function readTitles(
  found: Map<string, Found>,
  { slots, template, number }: { slots: readonly Slot[]; template: Template | undefined; number: number },
  context: PageContext,
): Record<string, string> {
  const titles = slots.flatMap((slot): [string, string][] => {
    const read = found.get(slot.path)
    const title = headTitle(slot, read)
    if (!read || title === undefined || slot.spec.kind === 'list') return []
    const affixes = fieldOf(template, slot.path)?.affixes
    const own = affixes && withoutAffixes(title, affixes)
    const value = own === undefined ? undefined : coerce(slot.spec, own, { ...context, ...slot.names })
    if (value !== undefined) found.set(slot.path, { ...read, value, reader: 'learned' })
    const isKnown = affixes && (affixes.pages.includes(number) || affixes.pages.length >= mostTitles)
    return isKnown ? [] : [[slot.path, title]]
  })
  return Object.fromEntries(titles)
}

/** What is asked for as a whole, such as a list of objects, has no places; whether pages state it is noted. */
function withoutPlaces(spec: ObjectSpec, taught: LearnedOrder['taught']): Observation['fields'] {
  const absent = new Set(taught?.absent)
  const noted = leaves(spec).flatMap((path): [string, FieldObservation][] => {
    const isFound = taught !== undefined && Object.hasOwn(taught.values, path)
    const observed = { value: isFound ? 0 : undefined, isUnanswered: absent.has(path), isInData: false }
    return isFound || observed.isUnanswered
      ? [[path, { ...observed, found: [], failed: [], rules: undefined }]]
      : []
  })
  return Object.fromEntries(noted.slice(0, mostFields))
}

/** By the address, so that it is always the same pages that are asked. */
function rarelyAsked(
  spec: ObjectSpec,
  template: Template,
  found: ReadonlyMap<string, Found>,
  number: number,
): string[] {
  if (number % askedAgain === 0) return []
  return leaves(spec).filter(
    (path) => !found.has(path) && (fieldOf(template, path)?.absent ?? 0) >= mostAbsent,
  )
}

function leaves(spec: ObjectSpec, at = ''): string[] {
  return [...spec.fields].flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`
    return field.kind === 'object' ? leaves(field, path) : [path]
  })
}
