import type { FieldSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'

/** What a language model is asked for: each value together with the words of the page that say it. */
export function claimSchema(spec: ObjectSpec): Record<string, unknown> {
  return objectSchema(spec, false)
}

function schemaOf(spec: FieldSpec): Record<string, unknown> {
  if (spec.kind === 'object') return objectSchema(spec, true)
  if (spec.kind === 'list') return { ...described(spec), type: 'array', items: schemaOf(spec.item) }
  return {
    ...described(spec),
    type: ['object', 'null'],
    properties: {
      value: valueSchema(spec),
      quote: { type: 'string', description: 'The exact words of the page that state the value.' },
    },
    required: ['value', 'quote'],
    additionalProperties: false,
  }
}

function objectSchema(spec: ObjectSpec, isNullable: boolean): Record<string, unknown> {
  const properties = Object.fromEntries([...spec.fields].map(([name, field]) => [name, schemaOf(field)]))
  return {
    ...described(spec),
    type: isNullable ? ['object', 'null'] : 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const types = { text: 'string', number: 'number', integer: 'integer', boolean: 'boolean', any: 'string' }

function valueSchema({ kind, choices, format }: ValueSpec): Record<string, unknown> {
  if (choices) return { enum: choices }
  return { type: types[kind], ...(format === undefined ? {} : { description: `format: ${format}` }) }
}

function described({ label }: FieldSpec): Record<string, unknown> {
  return label.description === '' ? {} : { description: label.description }
}

/** The part of a spec that was not found; undefined where everything was. */
export function onlyMissing(spec: ObjectSpec, missing: ReadonlySet<string>, at = ''): ObjectSpec | undefined {
  const fields = new Map<string, FieldSpec>()
  for (const [name, field] of spec.fields) {
    const path = at === '' ? name : `${at}.${name}`
    const kept =
      field.kind === 'object' ? onlyMissing(field, missing, path) : missing.has(path) ? field : undefined
    if (kept) fields.set(name, kept)
  }
  return fields.size === 0 ? undefined : { ...spec, fields }
}
