import type { JsonSchema } from '../ports/language-model.ts'

export interface StrictSchema {
  rules: JsonSchema
  restore(value: unknown): unknown
}

/** The strict form has closed objects whose properties are all required. An optional property may be null instead. */
export function strictSchema(schema: JsonSchema): StrictSchema | undefined {
  if (schema.type !== 'object') return undefined
  try {
    return {
      rules: toStrict(schema, 0),
      restore: (value) => restoreValue(value, schema, { root: schema, depth: 0 }),
    }
  } catch (thrown) {
    if (thrown instanceof NoStrictForm) return undefined
    throw thrown
  }
}

class NoStrictForm extends Error {}

/** Maximum depth of a schema. Servers that support schemas reject deeper ones. */
const maxDepth = 20

const copiedRules = ['type', 'description', 'enum', 'const', '$ref'] as const
/** Rules that are omitted, because they are only checked or do not describe values. */
const omittedRules = new Set([
  ...['$schema', '$id', '$comment', 'title', 'default', 'examples', 'format', 'pattern', 'deprecated'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'readOnly', 'writeOnly'],
])
const supportedRules = new Set<string>([
  ...copiedRules,
  ...['properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf', '$defs', 'definitions'],
])

function toStrict(source: unknown, depth: number): JsonSchema {
  if (!isSchema(source) || depth > maxDepth) throw new NoStrictForm()
  if (Object.keys(source).some((rule) => !supportedRules.has(rule) && !omittedRules.has(rule)))
    throw new NoStrictForm()
  const inner = (schema: unknown) => toStrict(schema, depth + 1)
  const branches = source.anyOf ?? source.oneOf
  const rules: JsonSchema = Object.fromEntries(
    copiedRules.filter((rule) => rule in source).map((rule) => [rule, source[rule]]),
  )
  if (Array.isArray(branches)) rules.anyOf = branches.map(inner)
  if (source.items !== undefined) rules.items = inner(source.items)
  if (source.properties !== undefined || source.type === 'object')
    Object.assign(rules, toStrictObject(source, inner))
  for (const name of ['$defs', 'definitions'])
    if (isSchema(source[name])) rules[name] = mapSchemas(source[name], (schema) => inner(schema))
  const describesValue = ['type', 'enum', 'const', '$ref', 'anyOf'].some((rule) => rule in rules)
  if (!describesValue || (rules.type === 'array' && rules.items === undefined)) throw new NoStrictForm()
  return rules
}

function toStrictObject(source: JsonSchema, inner: (schema: unknown) => JsonSchema): JsonSchema {
  const { properties, additionalProperties = false } = source
  // An object with any property names has no strict form.
  if (!isSchema(properties) || additionalProperties !== false) throw new NoStrictForm()
  const required = getRequired(source)
  return {
    properties: mapSchemas(properties, (schema, name) =>
      required.has(name) ? inner(schema) : toNullable(inner(schema)),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function toNullable(schema: JsonSchema): JsonSchema {
  if (admitsNull(schema, { root: schema, depth: 0 })) return schema
  if (typeof schema.type !== 'string' || schema.const !== undefined || schema.type === 'object')
    return { anyOf: [schema, { type: 'null' }] }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...values }
}

/** References may be circular, so the depth is counted. */
interface SchemaPosition {
  root: JsonSchema
  depth: number
}

const oneLevelDeeper = ({ root, depth }: SchemaPosition): SchemaPosition => ({ root, depth: depth + 1 })

/** More than any answer has that a server constrained to a strict schema. */
const maxSteps = 200

function restoreValue(value: unknown, schema: unknown, position: SchemaPosition): unknown {
  const rules = resolveReference(schema, position.root)
  if (!rules || typeof value !== 'object' || value === null || position.depth > maxSteps) return value
  const inner = (entry: unknown, subschema: unknown) =>
    restoreValue(entry, subschema, oneLevelDeeper(position))
  const branches = rules.anyOf ?? rules.oneOf
  if (Array.isArray(branches))
    return branches.reduce((result: unknown, branch) => inner(result, branch), value)
  if (Array.isArray(value)) return value.map((entry) => inner(entry, rules.items))
  const properties = isSchema(rules.properties) ? rules.properties : {}
  const required = getRequired(rules)
  const isOptional = (name: string) =>
    Object.hasOwn(properties, name) && !required.has(name) && !admitsNull(properties[name], position)
  const present = Object.entries(value).filter(([name, entry]) => entry !== null || !isOptional(name))
  return Object.fromEntries(present.map(([name, entry]) => [name, inner(entry, properties[name])]))
}

function admitsNull(schema: unknown, position: SchemaPosition): boolean {
  const rules = resolveReference(schema, position.root)
  if (!rules || position.depth > maxSteps) return false
  const branches = rules.anyOf ?? rules.oneOf
  if (Array.isArray(branches)) return branches.some((branch) => admitsNull(branch, oneLevelDeeper(position)))
  if (Array.isArray(rules.enum)) return rules.enum.includes(null)
  return (
    rules.const === null ||
    rules.type === 'null' ||
    (Array.isArray(rules.type) && rules.type.includes('null'))
  )
}

function resolveReference(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  if (!isSchema(schema)) return undefined
  if (typeof schema.$ref !== 'string') return schema
  const target = schema.$ref
    .split('/')
    .slice(1)
    .reduce((subschema: unknown, name) => (isSchema(subschema) ? subschema[name] : undefined), root)
  return isSchema(target) ? target : undefined
}

const requiredNames = new WeakMap<JsonSchema, Set<unknown>>()

function getRequired(rules: JsonSchema): Set<unknown> {
  const names = requiredNames.get(rules) ?? new Set(Array.isArray(rules.required) ? rules.required : [])
  requiredNames.set(rules, names)
  return names
}

function mapSchemas(schemas: JsonSchema, change: (schema: unknown, name: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema, name)]))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function includes(name: string): { allOf: { $ref: string }[] } {
  return { allOf: [{ $ref: `#/$defs/${name}` }] }
}
