import type { FieldSpec, Label, ValueBounds, ValueSpec } from './field-spec.ts'

/** Deeper or wider ones are no description of what a page says. */
const deepest = 8
const mostFields = 500

type Schema = Record<string, unknown>

export interface ReadSchema {
  spec: FieldSpec
  /** Fields that stand too deep, or are one too many: nothing is read for them. */
  ignored: string[]
}

/** A JSON Schema → what is to be read; references are followed, alternatives are reduced to the first that is not null. */
export function readSchema(schema: unknown): ReadSchema {
  const reader: Reader = { root: isSchema(schema) ? schema : {}, ignored: [], fields: 0 }
  const spec = specOf(reader, reader.root, { name: '', path: '', depth: 0 })
  return { spec, ignored: reader.ignored }
}

interface Reader {
  root: Schema
  ignored: string[]
  fields: number
}

interface FieldPosition {
  name: string
  path: string
  depth: number
}

function specOf(reader: Reader, given: Schema, position: FieldPosition): FieldSpec {
  const schema = flat(reader, given)
  const label = labelOf(schema, position)
  const type = typeOf(schema)
  if (type === 'object') return objectSpec(reader, schema, label, position)
  if (type === 'array') {
    const item = isSchema(schema.items) ? schema.items : {}
    const inner = { ...position, depth: position.depth + 1 }
    const spec = specOf(reader, position.depth >= deepest ? {} : item, inner)
    // What an entry is called matters little: the list has the name.
    const named = {
      ...spec,
      label: { name: position.name, description: `${label.description} ${spec.label.description}`.trim() },
    }
    return { kind: 'list', label, item: named, most: numberOf(schema.maxItems) ?? Infinity }
  }
  return valueSpec(schema, label, type)
}

function objectSpec(reader: Reader, schema: Schema, label: Label, position: FieldPosition): FieldSpec {
  const fields = new Map<string, FieldSpec>()
  const properties = isSchema(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    const path = position.path === '' ? name : `${position.path}.${name}`
    reader.fields += 1
    if (position.depth >= deepest || reader.fields > mostFields) reader.ignored.push(path)
    else
      fields.set(
        name,
        specOf(reader, isSchema(property) ? property : {}, { name, path, depth: position.depth + 1 }),
      )
  }
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string')
    : []
  return { kind: 'object', label, fields, required: new Set(required) }
}

function valueSpec(schema: Schema, label: Label, type: ValueSpec['kind']): ValueSpec {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  return {
    ...{ kind: type, label, bounds: boundsOf(schema) },
    format: typeof schema.format === 'string' ? schema.format : undefined,
    choices: Array.isArray(choices) ? choices.filter(isPlain).slice(0, mostFields) : undefined,
  }
}

function boundsOf(schema: Schema): ValueBounds {
  const { minimum, maximum, minLength, maxLength, pattern } = schema
  return {
    ...(typeof minimum === 'number' ? { least: minimum } : {}),
    ...(typeof maximum === 'number' ? { most: maximum } : {}),
    ...(typeof minLength === 'number' ? { shortest: minLength } : {}),
    ...(typeof maxLength === 'number' ? { longest: maxLength } : {}),
    ...(typeof pattern === 'string' ? { pattern } : {}),
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function labelOf(schema: Schema, { name }: FieldPosition): Label {
  const said = [schema.title, schema.description].filter((text) => typeof text === 'string')
  // Generators repeat the name as the title.
  const description = said.filter(
    (text) => text.toLowerCase().replace(/\W/g, '') !== name.toLowerCase().replace(/\W/g, ''),
  )
  return { name, description: description.join(' ').slice(0, longestDescription) }
}

const longestDescription = 1000

function typeOf(schema: Schema): 'object' | 'array' | ValueSpec['kind'] {
  const types = [schema.type].flat().filter((type) => type !== 'null')
  const [type] = types
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer' || type === 'boolean' || type === 'object' || type === 'array')
    return type
  if (isSchema(schema.properties)) return 'object'
  if (schema.items !== undefined) return 'array'
  const [example] = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== null) : []
  if (typeof example === 'string') return 'text'
  return typeof example === 'number' ? 'number' : 'any'
}

/** A schema with what it refers to, joins and chooses from put in its place. */
function flat(reader: Reader, given: Schema, seen: ReadonlySet<unknown> = new Set()): Schema {
  // One that refers to itself has no end.
  if (seen.has(given) || seen.size > 50) return {}
  const through = new Set([...seen, given])
  const { $ref, allOf, anyOf, oneOf, ...own } = given
  const target = typeof $ref === 'string' ? referred(reader.root, $ref) : undefined
  const choice = [anyOf, oneOf]
    .find(Array.isArray)
    ?.find((option) => isSchema(option) && option.type !== 'null')
  const others = [target, ...(Array.isArray(allOf) ? allOf.slice(0, 20) : []), choice].filter(isSchema)
  return others.map((other) => flat(reader, other, through)).reduceRight(joined, own)
}

function joined(own: Schema, other: Schema): Schema {
  const both = { ...other, ...own }
  if (isSchema(own.properties) && isSchema(other.properties))
    both.properties = { ...other.properties, ...own.properties }
  if (Array.isArray(own.required) && Array.isArray(other.required))
    both.required = [...other.required, ...own.required]
  return both
}

/** Only inside the schema itself: nothing is fetched for it. */
function referred(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponentOrNot(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
