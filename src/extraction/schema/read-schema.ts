import { type BoundName, bounds, exceeds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { decodedText } from '../vocabulary/words.ts'
import { type FieldSpec, isObject, type Label, type ValueBounds, type ValueSpec } from './field-spec.ts'

/** Deeper or wider ones are no description of what a page says. */
const deepest = 8
const maxFields = 500

type Schema = Record<string, unknown>

export interface ReadSchema {
  spec: FieldSpec
  /** Fields that stand too deep, or are one too many: nothing is read for them. */
  ignored: string[]
}

/**
 * A JSON Schema → what is to be read; references are followed, alternatives are reduced to the first that is not null. Each node of
 * the schema is resolved once. Throws BAD_REQUEST with the name of the bound if the schema takes too much work.
 *
 * Call it in a worker thread only: its work grows with what a caller sent.
 */
export function readSchema(schema: unknown): ReadSchema {
  const reader: Reader = {
    ...{ root: isObject(schema) ? schema : {}, ignored: [], fields: 0, steps: 0 },
    ...{ resolved: new Map(), targets: new Map() },
  }
  const spec = specOf(reader, reader.root, { name: '', path: '', depth: 0 })
  return { spec, ignored: reader.ignored }
}

interface Reader {
  root: Schema
  ignored: string[]
  fields: number
  steps: number
  /** Each schema with what it refers to, joins and chooses from; undefined while that is being found out. */
  resolved: Map<Schema, Schema | undefined>
  /** What each reference leads to. */
  targets: Map<string, unknown>
}

function count(reader: Reader, steps: number): void {
  reader.steps += steps
  if (reader.steps > bounds.MAX_SCHEMA_STEPS.most) throw beyond('MAX_SCHEMA_STEPS')
}

function beyond(bound: BoundName): AppError {
  const message = `${exceeds(bound)} Use fewer references, or a smaller schema.`
  const details = [{ code: 'custom', path: ['schema'], message }]
  return new AppError('BAD_REQUEST', { bound, most: bounds[bound].most, details }, { message })
}

interface FieldPosition {
  name: string
  path: string
  depth: number
}

function specOf(reader: Reader, given: Schema, position: FieldPosition): FieldSpec {
  const schema = resolve(reader, given, 0)
  count(reader, 1 + position.name.length / charactersPerStep)
  const label = labelOf(schema, position)
  const type = typeOf(schema)
  if (type === 'object') return objectSpec(reader, schema, label, position)
  if (type === 'array') {
    const item = isObject(schema.items) ? schema.items : {}
    const inner = { ...position, depth: position.depth + 1 }
    const spec = specOf(reader, position.depth >= deepest ? {} : item, inner)
    // What an entry is called matters little: the list has the name.
    const named = {
      ...spec,
      label: { name: position.name, description: `${label.description} ${spec.label.description}`.trim() },
    }
    return {
      kind: 'list',
      label,
      item: named,
      most: typeof schema.maxItems === 'number' ? schema.maxItems : Infinity,
    }
  }
  return valueSpec(reader, schema, { label, type })
}

/** Long names and texts are copied for each field that they belong to. */
const charactersPerStep = 20

function objectSpec(reader: Reader, schema: Schema, label: Label, position: FieldPosition): FieldSpec {
  const fields = new Map<string, FieldSpec>()
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    const path = position.path === '' ? name : `${position.path}.${name}`
    reader.fields += 1
    count(reader, 1)
    if (position.depth >= deepest || reader.fields > maxFields) reader.ignored.push(path)
    else
      fields.set(
        name,
        specOf(reader, isObject(property) ? property : {}, { name, path, depth: position.depth + 1 }),
      )
  }
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string')
    : []
  return { kind: 'object', label, fields, required: new Set(required) }
}

function valueSpec(
  reader: Reader,
  schema: Schema,
  { label, type }: { label: Label; type: ValueSpec['kind'] },
): ValueSpec {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  for (const choice of Array.isArray(choices) ? choices : [])
    count(reader, 1 + (typeof choice === 'string' ? choice.length / charactersPerStep : 0))
  return {
    ...{ kind: type, label, bounds: boundsOf(schema) },
    format: typeof schema.format === 'string' ? schema.format : undefined,
    choices: Array.isArray(choices) ? choices.filter(isPlain).slice(0, maxFields) : undefined,
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
  const said = [schema.title, schema.description]
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, longestDescription))
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
  if (isObject(schema.properties)) return 'object'
  if (schema.items !== undefined) return 'array'
  const [example] = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== null) : []
  if (typeof example === 'string') return 'text'
  return typeof example === 'number' ? 'number' : 'any'
}

/** A schema with what it refers to, joins and chooses from put in its place. */
function resolve(reader: Reader, given: Schema, depth: number): Schema {
  if (reader.resolved.has(given)) {
    // A schema that refers to itself has no end.
    return reader.resolved.get(given) ?? {}
  }
  count(reader, 1)
  if (depth > bounds.MAX_SCHEMA_DEPTH.most) throw beyond('MAX_SCHEMA_DEPTH')
  if (reader.resolved.size >= bounds.MAX_SCHEMA_NODES.most) throw beyond('MAX_SCHEMA_NODES')
  reader.resolved.set(given, undefined)
  const { $ref, allOf, anyOf, oneOf, ...own } = given
  const target = typeof $ref === 'string' ? referred(reader, $ref) : undefined
  const choice = [anyOf, oneOf]
    .find(Array.isArray)
    ?.find((option) => isObject(option) && option.type !== 'null')
  const others = [target, ...(Array.isArray(allOf) ? allOf : []), choice].filter(isObject)
  // What several references lead to is joined once.
  const parts = new Set(others.map((other) => resolve(reader, other, depth + 1)))
  const whole = join(reader, Object.keys(own).length === 0 ? [...parts] : [...parts, own])
  reader.resolved.set(given, whole)
  return whole
}

/** Several schemas as one: what a later one says replaces what earlier ones say, except that properties are joined. */
function join(reader: Reader, parts: readonly Schema[]): Schema {
  const [first = {}, ...others] = parts
  if (others.length === 0) return first
  const rules = new Map<string, unknown>()
  const properties = new Map<string, unknown>()
  const required = new Set<unknown>()
  for (const part of parts) {
    const named = isObject(part.properties) ? Object.entries(part.properties) : []
    const needed = Array.isArray(part.required) ? part.required : []
    const all = Object.entries(part)
    count(reader, named.length + needed.length + all.length)
    for (const [name, value] of all) rules.set(name, value)
    for (const [name, value] of named) properties.set(name, value)
    for (const name of needed) required.add(name)
  }
  return {
    ...Object.fromEntries(rules),
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.size > 0 ? { required: [...required] } : {}),
  }
}

/** Only inside the schema itself: nothing is fetched for it. */
function referred(reader: Reader, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  if (!reader.targets.has(reference)) reader.targets.set(reference, targetOf(reader.root, reference))
  return reader.targets.get(reference)
}

function targetOf(root: Schema, reference: string): unknown {
  let at: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodedText(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}
