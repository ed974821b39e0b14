import { type BoundName, bounds, formatBoundError } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { decodePercent } from '../../platform/url.ts'
import { type FieldSpec, isObject, type Label, type ValueSpec } from './field-spec.ts'

const maxDepth = 8
const maxFields = 500

type Schema = Record<string, unknown>

export interface ParsedSchema {
  spec: FieldSpec
  /** Paths of fields that exceed the maximum depth or number. Their values are not read. */
  ignored: string[]
}

/**
 * Compiles a JSON Schema with the first alternatives that are not null. Throws BAD_REQUEST if the schema takes too much
 * work. Call it in a worker thread only: its work grows with the input of a caller.
 */
export function readSchema(schema: unknown): ParsedSchema {
  const reader: Reader = {
    ...{ root: isObject(schema) ? schema : {}, ignored: [], fields: 0, steps: 0 },
    ...{ resolved: new Map(), targets: new Map() },
  }
  const spec = compileField(reader, reader.root, { name: '', path: '', depth: 0 })
  return { spec, ignored: reader.ignored }
}

interface Reader {
  root: Schema
  ignored: string[]
  fields: number
  steps: number
  /** Each schema with its references, `allOf` and alternatives resolved; undefined while it is being resolved. */
  resolved: Map<Schema, Schema | undefined>
  targets: Map<string, unknown>
}

function countSteps(reader: Reader, steps: number): void {
  reader.steps += steps
  if (reader.steps > bounds.MAX_SCHEMA_STEPS.most) throw limitError('MAX_SCHEMA_STEPS')
}

function limitError(bound: BoundName): AppError {
  const message = `${formatBoundError(bound)} Use fewer references, or a smaller schema.`
  const details = [{ code: 'custom', path: ['schema'], message }]
  return new AppError('BAD_REQUEST', { bound, most: bounds[bound].most, details }, { message })
}

interface FieldPosition {
  name: string
  path: string
  depth: number
}

function compileField(reader: Reader, source: Schema, position: FieldPosition): FieldSpec {
  const schema = resolve(reader, source, 0)
  countSteps(reader, 1 + position.name.length / charactersPerStep)
  const label = getLabel(schema, position)
  const type = getType(schema)
  if (type === 'object') return objectSpec(reader, schema, label, position)
  if (type === 'array') {
    const items = isObject(schema.items) && position.depth < maxDepth ? schema.items : {}
    const item = compileField(reader, items, { ...position, depth: position.depth + 1 })
    // An entry has the name of its list.
    const description = `${label.description} ${item.label.description}`.trim()
    const maxItems = numberOf(schema.maxItems) ?? Infinity
    return { kind: 'list', label, item: { ...item, label: { name: position.name, description } }, maxItems }
  }
  return valueSpec(reader, schema, { kind: type, label })
}

/** Characters per step. Names and texts are copied for each field, so long ones count as more work. */
const charactersPerStep = 20

function objectSpec(reader: Reader, schema: Schema, label: Label, position: FieldPosition): FieldSpec {
  const fields = new Map<string, FieldSpec>()
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    const path = position.path === '' ? name : `${position.path}.${name}`
    reader.fields += 1
    countSteps(reader, 1)
    if (position.depth >= maxDepth || reader.fields > maxFields) reader.ignored.push(path)
    else {
      const source = isObject(property) ? property : {}
      fields.set(name, compileField(reader, source, { name, path, depth: position.depth + 1 }))
    }
  }
  const required = Array.isArray(schema.required) ? schema.required : []
  return { kind: 'object', label, fields, required: new Set(required.filter(isString)) }
}

function valueSpec(reader: Reader, schema: Schema, base: Pick<ValueSpec, 'kind' | 'label'>): ValueSpec {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  for (const choice of Array.isArray(choices) ? choices : [])
    countSteps(reader, 1 + (typeof choice === 'string' ? choice.length / charactersPerStep : 0))
  return {
    ...base,
    bounds: {
      min: numberOf(schema.minimum),
      max: numberOf(schema.maximum),
      minLength: numberOf(schema.minLength),
      maxLength: numberOf(schema.maxLength),
    },
    format: typeof schema.format === 'string' ? schema.format : undefined,
    choices: Array.isArray(choices) ? choices.filter(isPrimitive).slice(0, maxFields) : undefined,
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

const isString = (value: unknown) => typeof value === 'string'

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function getLabel(schema: Schema, { name }: FieldPosition): Label {
  const texts = [schema.title, schema.description]
    .filter(isString)
    .map((text) => text.slice(0, maxDescriptionLength))
  // Generators repeat the name as the title.
  const description = texts.filter(
    (text) => text.toLowerCase().replace(/\W/g, '') !== name.toLowerCase().replace(/\W/g, ''),
  )
  return { name, description: description.join(' ').slice(0, maxDescriptionLength) }
}

const maxDescriptionLength = 1000

function getType(schema: Schema): 'object' | 'array' | ValueSpec['kind'] {
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

function resolve(reader: Reader, source: Schema, depth: number): Schema {
  // A circular reference resolves to an empty schema.
  if (reader.resolved.has(source)) return reader.resolved.get(source) ?? {}
  countSteps(reader, 1)
  if (depth > bounds.MAX_SCHEMA_DEPTH.most) throw limitError('MAX_SCHEMA_DEPTH')
  if (reader.resolved.size >= bounds.MAX_SCHEMA_NODES.most) throw limitError('MAX_SCHEMA_NODES')
  reader.resolved.set(source, undefined)
  const { $ref, allOf, anyOf, oneOf, ...ownKeywords } = source
  const target = typeof $ref === 'string' ? resolveReference(reader, $ref) : undefined
  const choice = [anyOf, oneOf]
    .find(Array.isArray)
    ?.find((option) => isObject(option) && option.type !== 'null')
  const others = [target, ...(Array.isArray(allOf) ? allOf : []), choice].filter(isObject)
  // A schema that is referenced several times is joined once.
  const parts = new Set(others.map((other) => resolve(reader, other, depth + 1)))
  const joined = join(reader, Object.keys(ownKeywords).length === 0 ? [...parts] : [...parts, ownKeywords])
  reader.resolved.set(source, joined)
  return joined
}

/** Joins several schemas: a later keyword replaces earlier ones, but properties and required names are combined. */
function join(reader: Reader, parts: readonly Schema[]): Schema {
  const [first = {}, ...others] = parts
  if (others.length === 0) return first
  const keywords = new Map<string, unknown>()
  const properties = new Map<string, unknown>()
  const required = new Set<unknown>()
  for (const part of parts) {
    const propertyEntries = isObject(part.properties) ? Object.entries(part.properties) : []
    const requiredNames = Array.isArray(part.required) ? part.required : []
    const keywordEntries = Object.entries(part)
    countSteps(reader, propertyEntries.length + requiredNames.length + keywordEntries.length)
    for (const [name, value] of keywordEntries) keywords.set(name, value)
    for (const [name, value] of propertyEntries) properties.set(name, value)
    for (const name of requiredNames) required.add(name)
  }
  return {
    ...Object.fromEntries(keywords),
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.size > 0 ? { required: [...required] } : {}),
  }
}

/** Resolves a reference inside the schema; external references are not fetched. */
function resolveReference(reader: Reader, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  if (!reader.targets.has(reference)) reader.targets.set(reference, findTarget(reader.root, reference))
  return reader.targets.get(reference)
}

function findTarget(root: Schema, reference: string): unknown {
  let current: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined
  }
  return current
}
