import type { FieldSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'

function schemaOf(spec: FieldSpec): Record<string, unknown> {
  if (spec.kind === 'object') return { ...claimSchema(spec), type: ['object', 'null'] }
  if (spec.kind === 'list') return { ...descriptionOf(spec), type: 'array', items: schemaOf(spec.item) }
  return {
    ...descriptionOf(spec),
    type: ['object', 'null'],
    properties: {
      value: valueSchema(spec),
      quote: { type: 'string', description: 'The exact words of the page that state the value.' },
    },
    required: ['value', 'quote'],
    additionalProperties: false,
  }
}

export function claimSchema(spec: ObjectSpec): Record<string, unknown> {
  const properties = Object.fromEntries([...spec.fields].map(([name, field]) => [name, schemaOf(field)]))
  return {
    ...descriptionOf(spec),
    type: 'object',
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

function descriptionOf({ label }: FieldSpec): Record<string, unknown> {
  return label.description === '' ? {} : { description: label.description }
}

export function onlyMissing(
  spec: ObjectSpec,
  missing: ReadonlySet<string>,
  parentPath = '',
): ObjectSpec | undefined {
  const fields = new Map<string, FieldSpec>()
  for (const [name, field] of spec.fields) {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    const remaining =
      field.kind === 'object' ? onlyMissing(field, missing, path) : missing.has(path) ? field : undefined
    if (remaining) fields.set(name, remaining)
  }
  return fields.size === 0 ? undefined : { ...spec, fields }
}
