import { z } from 'zod'
import type { CapturePlan, Page } from '../../content/page.ts'
import type { PartRequests } from '../page-parts/parts.ts'
import { type RedactOption, redactionOf, redactionWarnings } from '../page-parts/redact-option.ts'
import * as all from './all.ts'
import { type Format, type FormatSource, formatRequest } from './format.ts'

type All = typeof all
type FormatName = All[keyof All]['name']

/** A format as generic code sees it: its options have their own type, which its schema produced. */
type AnyFormat = Format<FormatName, z.ZodRawShape, z.ZodRawShape>

// Each format has its own options; callers pass what the schema of that format parsed.
const members = Object.values(all) as unknown as AnyFormat[]

/** In a fixed order: the API description must not depend on the load order of the list. */
export const formats = members.sort((left, right) => (left.name < right.name ? -1 : 1))

const formatNames = formats.map((format) => format.name).sort() as [FormatName, ...FormatName[]]

type ObjectForm = {
  [Key in keyof All]: ReturnType<typeof formatRequest<All[Key]['name'], All[Key]['options']>>
}[keyof All]

const objectForm = z.discriminatedUnion(
  'type',
  // One member per format: the tuple that the union needs is exactly the list, which is not empty.
  formats.map((format) => formatRequest(format)) as unknown as [ObjectForm, ...ObjectForm[]],
)

export type FormatRequest = z.output<typeof objectForm>

/** Formats that can be requested by name only: those without required options. */
const bareNames = formats
  .filter((format) => formatRequest(format).safeParse({ type: format.name }).success)
  .map((format) => format.name)
  .sort() as [FormatName, ...FormatName[]]

const available = formats
  .filter((format) => !format.absence)
  .map((format) => format.name)
  .sort()
  .join(', ')

/** One entry of `formats`: a bare name, or an object with the name as `type` and the format's options. */
export const formatEntry = z
  .union([z.enum(bareNames).transform((type) => objectForm.parse({ type })), objectForm], {
    error: (issue) => {
      const name = typeof issue.input === 'string' ? issue.input : undefined
      const needsOptions = name !== undefined && (formatNames as string[]).includes(name)
      if (needsOptions) return `The format "${name}" needs options: send an object {"type": "${name}", …}.`
      return `Unknown format. Available: ${available}.`
    },
  })
  .transform(standingFor)
  .meta({ id: 'Format' })

/** The request that an older name stands for. */
function standingFor({ type, ...options }: FormatRequest): FormatRequest {
  // A format stands for a request that another format has parsed.
  const request = formatNamed(type).standsFor?.(options) ?? { type, ...options }
  return request as FormatRequest
}

/** Why none of the requested formats can be produced; undefined if one can, one was removed, or none is requested. */
export function allUnavailable(requested: FormatRequest[]): string | undefined {
  if (requested.length === 0) return undefined
  if (!requested.every(({ type }) => formatNamed(type).absence === 'unavailable')) return undefined
  const names = requested.map(({ type }) => type).join(', ')
  return `Not available here: ${names}. Available formats: ${available}.`
}

/** The first requested format that needs one of these. */
export function formatReadingFrom(
  requested: FormatRequest[],
  ...deps: FormatSource[]
): FormatName | undefined {
  return requested.find(({ type }) => deps.includes(formatNamed(type).readsFrom))?.type
}

/** Why these formats cannot be combined. */
export function conflictOf(requested: FormatRequest[]): string[] {
  const names: string[] = requested.map(({ type }) => type)
  const missing = names.flatMap((name) => {
    const required = formatNamed(name as FormatName).requires ?? []
    return required.filter((other) => !names.includes(other)).map((other) => [name, other])
  })
  const alone =
    names.length > 1 ? names.find((name) => formatNamed(name as FormatName).standsAlone) : undefined
  const excluded = names.flatMap((name) => {
    const others = formatNamed(name as FormatName).excludes ?? []
    return others.filter((other) => names.includes(other)).map((other) => [name, other])
  })
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return [
    ...missing.map(([name, other]) => `${name} needs the format ${other} in the same list.`),
    ...excluded.map(
      ([name, other]) => `${name} cannot be combined with ${other}: both return the same fields.`,
    ),
    ...(alone === undefined ? [] : [`${alone} must be the only format of the request.`]),
    ...(twice === undefined ? [] : [`The format "${twice}" is requested twice.`]),
  ]
}

/** Additional price of the requested formats, if all of them can be produced. */
export function maxSurcharge(requested: FormatRequest[]): number {
  return requested.reduce((sum, { type, ...options }) => {
    const { surcharge = 0 } = formatNamed(type)
    return sum + (typeof surcharge === 'number' ? surcharge : surcharge(options))
  }, 0)
}

export function formatNamed(name: FormatName): AnyFormat {
  const found = formats.find((format) => format.name === name)
  if (!found) throw new Error(`No such format: ${name}`)
  return found
}

/** The fields that formats add to a document; each is present only if its format was requested. */
export const formatOutputs = Object.assign(
  {},
  ...formats.map((format) =>
    Object.fromEntries(
      Object.entries(format.output).map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
    ),
  ),
) as Optional<MergedOutputs>

type Optional<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> }
type MergedOutputs = Intersection<All[keyof All]['output']> & z.ZodRawShape
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer MergeResult,
) => void
  ? MergeResult
  : never

interface FormatsRequest {
  formats: FormatRequest[]
  onlyCleanContent: boolean
  redactPII?: RedactOption
}

/** Everything that reading a page has to know of the requested formats. */
export interface FormatPlan {
  /** What must be captured while the page is open. */
  captures: CapturePlan
  /** The parts of the page that are read. */
  wishes: PartRequests
  /** True if a copy from the cache must not be used: it would be compared with itself, or lacks what an open page shows. */
  needsOpenPage: boolean
  /** The format that is made from what is never cached. */
  neverKept: FormatName | undefined
  /** True if a format asks the language model where one is configured. */
  usesModel: boolean
  /** True if the Markdown is cleaned. */
  isCleaned: boolean
  /** Returns true if a format uses this file unchanged. */
  takesFile(page: Page): boolean
  /** Options without effect on the requested formats. */
  warnings: string[]
}

/** The API excludes calls of which nothing is retained from cleaning. */
export function planFormats(
  { formats, onlyCleanContent, redactPII }: FormatsRequest,
  retain: boolean,
): FormatPlan {
  const requested = formats.map(({ type, ...options }) => ({ options, format: formatNamed(type) }))
  const members = requested.map(({ format }) => format)
  const reads = requested.map(({ options, format }) => format.reads?.(options) ?? {})
  const passages = reads.flatMap((wish) => wish.passages ?? [])
  const redaction = redactionOf(redactPII)
  const usesMarkdown = members.some((format) => format.isOfMarkdown)
  const besideMarkdown = members.filter((format) => !format.isOfMarkdown && !format.absence)
  const isCleaned = onlyCleanContent && retain && usesMarkdown
  const uncleaned = retain
    ? 'none of the requested formats comes from the Markdown'
    : 'it is not supported with zero data retention or lockdown'
  return {
    captures: Object.assign({}, ...requested.map(({ options, format }) => format.captures?.(options))),
    wishes: Object.assign(
      { metadata: true },
      ...reads,
      passages.length > 0 && { passages },
      redaction && { redaction },
    ),
    needsOpenPage: formatReadingFrom(formats, 'openPage', 'history') !== undefined,
    neverKept: formatReadingFrom(formats, 'openPage', 'history', 'network'),
    usesModel: members.some((format) => format.usesModel),
    isCleaned,
    takesFile: (page) => members.some((format) => format.takesFile?.(page)),
    warnings: [
      ...(onlyCleanContent && !isCleaned ? [`onlyCleanContent has no effect: ${uncleaned}.`] : []),
      ...redactionWarnings(
        redaction,
        besideMarkdown.map(({ name }) => name),
      ),
    ],
  }
}
