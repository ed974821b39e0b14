import { z } from 'zod'
import type { CapturePlan, Page } from '../../content/page.ts'
import type { PageParts, PartRequests } from '../page-parts/parts.ts'
import { type RedactOption, redactionOf, redactionWarnings } from '../page-parts/redact-option.ts'
import * as all from './all.ts'
import { type Format, type FormatSource, formatRequest, type RenderContext } from './format.ts'

type AllFormats = typeof all
type FormatName = AllFormats[keyof AllFormats]['name']

type AnyFormat = Format<FormatName, z.ZodRawShape, z.ZodRawShape>
// Each format has its own options; callers pass the options that the schema of that format parsed.
const members = Object.values(all) as unknown as AnyFormat[]

/** In a fixed order, so that the API description does not depend on load order. */
export const formats = members.sort((left, right) => (left.name < right.name ? -1 : 1))
type ObjectForm = {
  [Key in keyof AllFormats]: ReturnType<
    typeof formatRequest<AllFormats[Key]['name'], AllFormats[Key]['options']>
  >
}[keyof AllFormats]

const objectForm = z.discriminatedUnion(
  'type',
  // One member per format. The union needs a non-empty tuple, and the list is not empty.
  formats.map((format) => formatRequest(format)) as unknown as [ObjectForm, ...ObjectForm[]],
)

export type FormatRequest = z.output<typeof objectForm>

const bareNames = formats
  .filter((format) => formatRequest(format).safeParse({ type: format.name }).success)
  .map((format) => format.name) as [FormatName, ...FormatName[]]

const available = formats.flatMap((format) => (format.absence ? [] : format.name)).join(', ')

/** Entry of `formats`: a bare name, or an object with the name as `type` and the format's options. */
export const formatEntry = z
  .union([z.enum(bareNames).transform((type) => objectForm.parse({ type })), objectForm], {
    error: ({ input }) =>
      formats.some(({ name }) => name === input)
        ? `The format "${input}" needs options: send an object {"type": "${input}", …}.`
        : `Unknown format. Available: ${available}.`,
  })
  .transform(resolveAlias)
  .meta({ id: 'Format' })

function resolveAlias({ type, ...options }: FormatRequest): FormatRequest {
  // The options are valid, because an alias returns a request for another format.
  const request = formatNamed(type).aliasTarget?.(options) ?? { type, ...options }
  return request as FormatRequest
}

/** Returns undefined if a requested format is available or removed, or none is requested. */
export function allUnavailable(requested: FormatRequest[]): string | undefined {
  if (requested.length === 0) return undefined
  if (!requested.every(({ type }) => formatNamed(type).absence === 'unavailable')) return undefined
  const names = requested.map(({ type }) => type).join(', ')
  return `Not available here: ${names}. Available formats: ${available}.`
}

export function formatReadingFrom(
  requested: FormatRequest[],
  ...sources: FormatSource[]
): FormatName | undefined {
  return requested.find(({ type }) => sources.includes(formatNamed(type).readsFrom))?.type
}

export function conflictOf(requested: FormatRequest[]): string[] {
  const requestedFormats = requested.map(({ type }) => formatNamed(type))
  const names: string[] = requested.map(({ type }) => type)
  const missing = requestedFormats.flatMap(({ name, requires = [] }) =>
    requires.filter((other) => !names.includes(other)).map((other) => [name, other]),
  )
  const exclusive =
    names.length > 1 ? requestedFormats.find(({ isExclusive }) => isExclusive)?.name : undefined
  const excluded = requestedFormats.flatMap(({ name, excludes = [] }) =>
    excludes.filter((other) => names.includes(other)).map((other) => [name, other]),
  )
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  return [
    ...missing.map(([name, other]) => `${name} needs the format ${other} in the same list.`),
    ...excluded.map(
      ([name, other]) => `${name} cannot be combined with ${other}: both return the same fields.`,
    ),
    ...(exclusive === undefined ? [] : [`${exclusive} must be the only format of the request.`]),
    ...(duplicate === undefined ? [] : [`The format "${duplicate}" is requested twice.`]),
  ]
}

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

export const formatOutputs = Object.assign(
  {},
  ...formats.map((format) =>
    Object.fromEntries(
      Object.entries(format.output).map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
    ),
  ),
) as Optional<MergedOutputs>

type Optional<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> }
type MergedOutputs = Intersection<AllFormats[keyof AllFormats]['output']> & z.ZodRawShape
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer MergeResult,
) => void
  ? MergeResult
  : never

export interface FormatPlan {
  captures: CapturePlan
  requestedParts: PartRequests
  /** A cached copy would be compared with itself, or lacks data of an open page. */
  needsOpenPage: boolean
  uncacheableFormat: FormatName | undefined
  usesModel: boolean
  isCleaned: boolean
  takesFile(page: Page): boolean
  warnings: string[]
}

/** Cleaning has no effect with zero data retention (`retain` is false). */
export function planFormats(
  request: { formats: FormatRequest[]; onlyCleanContent: boolean; redactPII?: RedactOption },
  retain: boolean,
): FormatPlan {
  const { formats, onlyCleanContent, redactPII } = request
  const requested = formats.map(({ type, ...options }) => ({ options, format: formatNamed(type) }))
  const memberFormats = requested.map(({ format }) => format)
  const reads = requested.map(({ options, format }) => format.reads?.(options) ?? {})
  const passages = reads.flatMap((partRequest) => partRequest.passages ?? [])
  const redaction = redactionOf(redactPII)
  const usesMarkdown = memberFormats.some((format) => format.isDerivedFromMarkdown)
  const otherFormats = memberFormats.filter((format) => !format.isDerivedFromMarkdown && !format.absence)
  const unredacted = otherFormats.map(({ name }) => name)
  const isCleaned = onlyCleanContent && retain && usesMarkdown
  const noCleaningReason = retain
    ? 'none of the requested formats comes from the Markdown'
    : 'it is not supported with zero data retention or lockdown'
  return {
    captures: Object.assign({}, ...requested.map(({ options, format }) => format.captures?.(options))),
    requestedParts: Object.assign(
      { metadata: true },
      ...reads,
      passages.length > 0 && { passages },
      redaction && { redaction },
    ),
    needsOpenPage: formatReadingFrom(formats, 'openPage', 'history') !== undefined,
    uncacheableFormat: formatReadingFrom(formats, 'openPage', 'history', 'network'),
    usesModel: memberFormats.some((format) => format.usesModel),
    isCleaned,
    takesFile: (page) => memberFormats.some((format) => format.takesFile?.(page)),
    warnings: [
      ...(onlyCleanContent && !isCleaned ? [`onlyCleanContent has no effect: ${noCleaningReason}.`] : []),
      ...redactionWarnings(redaction, unredacted),
    ],
  }
}

export interface RenderedFormats {
  fields: Record<string, unknown>
  warnings: string[]
  surcharge: number
}

export async function renderFormats(
  requested: FormatRequest[],
  content: PageParts,
  baseContext: Omit<RenderContext, 'warn' | 'waive'>,
): Promise<RenderedFormats> {
  const renderWarnings: string[] = []
  const waived = new Set<FormatRequest>()
  const warn = (text: string) => void renderWarnings.push(text)
  const parts = await Promise.all(
    requested.map((request) => {
      const { type, ...options } = request
      const context: RenderContext = { ...baseContext, warn, waive: () => void waived.add(request) }
      return formatNamed(type).render(content, options, context)
    }),
  )
  const produced = requested.filter((_, index) => parts[index]?.unavailable === undefined)
  const warnings = parts.flatMap((part) => (typeof part.unavailable === 'string' ? [part.unavailable] : []))
  const fields = Object.assign({}, ...parts.filter((part) => part.unavailable === undefined))
  const surcharge = maxSurcharge(produced.filter((request) => !waived.has(request)))
  return { fields, warnings: [...renderWarnings, ...warnings], surcharge }
}
