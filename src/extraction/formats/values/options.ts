import { z } from 'zod'
import { anyJson, boundedText } from '../../../platform/bounded.ts'
import { isObject } from '../../schema/field-spec.ts'
import type { RenderContext } from '../format.ts'

/** Options of formats that extract values. Clients send null for options that their caller omitted. */

export function schemaOption() {
  return anyJson('MAX_SCHEMA_BYTES')
    .refine(
      (schema) => (schema ?? undefined) === undefined || isObject(schema),
      'is a JSON schema: an object',
    )
    .refine((schema) => !isOpen(schema), 'names no properties. Name those that shall be read.')
    .nullish()
}

export const promptOption = () => boundedText('MAX_PROMPT_LENGTH').nullish()

export interface ValueOptions {
  schema?: unknown
  prompt?: string | null | undefined
}

export function checkSchema({ schema, prompt }: ValueOptions) {
  return isObject(schema) && isEmptySchema(schema) && !prompt
    ? { option: 'schema', problem: emptySchema }
    : undefined
}

export function givenSchema(schema: unknown): Record<string, unknown> | undefined {
  return isObject(schema) && !isEmptySchema(schema) ? schema : undefined
}

const emptySchema =
  'names no properties. Name those that shall be read; of a Zod 4 schema, clients that know Zod 3 send nothing: give them z.toJSONSchema(schema).'
const annotationKeys = new Set(['$schema', '$id', '$comment', 'title', 'description'])

function isEmptySchema(schema: Record<string, unknown>): boolean {
  return Object.keys(schema).every((key) => annotationKeys.has(key))
}

/** An object schema without properties that accepts any property requests no specific values. */
function isOpen(schema: unknown): boolean {
  if (!isObject(schema) || schema.type !== 'object') return false
  const { properties } = schema
  const hasProperties = isObject(properties) && Object.keys(properties).length > 0
  return !hasProperties && schema.additionalProperties === true
}

const evidence = z.object({
  text: z.string().describe('Text of the page at this position.'),
  reader: z.string().describe('Source of the value: json-ld, microdata, label, table, records and others.'),
  selector: z.string().optional().describe('CSS selector of the element that contains the text.'),
  property: z.string().optional().describe('The property in structured data or metadata.'),
})

export const valuesResponse = {
  json: z.unknown().describe('Values in the shape of the schema.'),
  jsonEvidence: z
    .record(z.string(), evidence)
    .describe('Source of each value by its path: `offers.price`, `items[0].name`.'),
}

interface MissingFields {
  missing: readonly string[]
  missingRequired?: readonly string[]
  ignored?: readonly string[]
}

export function warnMissingFields(
  { warn }: Pick<RenderContext, 'warn'>,
  format: string,
  { missing, missingRequired = [], ignored = [] }: MissingFields,
): void {
  const required = missingRequired.filter(
    (path) => missing.includes(path) || missing.some((other) => other.startsWith(`${path}.`)),
  )
  if (missing.length > 0) warn(`${format}: not found on the page, and left out: ${named(missing)}.`)
  if (required.length > 0) warn(`${format}: the schema requires ${named(required)}.`)
  if (ignored.length > 0) warn(`${format}: the schema is too deep or too wide; not read: ${named(ignored)}.`)
}

const maxNamed = 30

export function named(paths: readonly string[]): string {
  const remainingCount = paths.length - maxNamed
  return paths.slice(0, maxNamed).join(', ') + (remainingCount > 0 ? ` and ${remainingCount} more` : '')
}
