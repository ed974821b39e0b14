import type { JsonSchema } from './schema-check.ts'

/** A schema that servers can hold a model to, and what undoes its changes in an answer. */
export interface StrictSchema {
  rules: JsonSchema
  restore(value: unknown): unknown
}

/**
 * Servers take a part of JSON Schema: closed objects all of whose properties are required. So an optional property is written
 * as one that may be null, and bounds are left out: answers are checked against the schema of the caller in any case. Undefined
 * for a schema that has no such form.
 */
export function strictSchema(schema: JsonSchema): StrictSchema | undefined {
  if (schema.type !== 'object') return undefined
  try {
    return {
      rules: closed(schema, 0),
      restore: (value) => restored(value, schema, { root: schema, depth: 0 }),
    }
  } catch (thrown) {
    if (thrown instanceof NoStrictForm) return undefined
    throw thrown
  }
}

class NoStrictForm extends Error {}

/** Deeper schemas are refused by the servers that take any. */
const maxDepth = 20

/** Rules that mean the same without change, and say something to the model. */
const kept = ['type', 'description', 'enum', 'const', '$ref'] as const
/** What is only checked, or says nothing about values. */
const left = new Set([
  ...['$schema', '$id', '$comment', 'title', 'default', 'examples', 'format', 'pattern', 'deprecated'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'readOnly', 'writeOnly'],
])
const read = new Set<string>([
  ...kept,
  ...['properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf', '$defs', 'definitions'],
])

function closed(given: unknown, depth: number): JsonSchema {
  if (!isSchema(given) || depth > maxDepth) throw new NoStrictForm()
  if (Object.keys(given).some((rule) => !read.has(rule) && !left.has(rule))) throw new NoStrictForm()
  const inner = (schema: unknown) => closed(schema, depth + 1)
  const branches = given.anyOf ?? given.oneOf
  const rules: JsonSchema = Object.fromEntries(
    kept.filter((rule) => rule in given).map((rule) => [rule, given[rule]]),
  )
  if (Array.isArray(branches)) rules.anyOf = branches.map(inner)
  if (given.items !== undefined) rules.items = inner(given.items)
  if (given.properties !== undefined || given.type === 'object')
    Object.assign(rules, closedObject(given, inner))
  for (const name of ['$defs', 'definitions'])
    if (isSchema(given[name])) rules[name] = mapped(given[name], (schema) => inner(schema))
  const saysSomething = ['type', 'enum', 'const', '$ref', 'anyOf'].some((rule) => rule in rules)
  if (!saysSomething || (rules.type === 'array' && rules.items === undefined)) throw new NoStrictForm()
  return rules
}

function closedObject(given: JsonSchema, inner: (schema: unknown) => JsonSchema): JsonSchema {
  const { properties, additionalProperties = false } = given
  // An object of any names has no strict form.
  if (!isSchema(properties) || additionalProperties !== false) throw new NoStrictForm()
  const required = requiredOf(given)
  return {
    properties: mapped(properties, (schema, name) =>
      required.has(name) ? inner(schema) : nullable(inner(schema)),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  if (admitsNull(schema, { root: schema, depth: 0 })) return schema
  if (typeof schema.type !== 'string' || schema.const !== undefined || schema.type === 'object')
    return { anyOf: [schema, { type: 'null' }] }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...values }
}

/** Where a schema stands. Its references may lead in a circle. */
interface SchemaPosition {
  root: JsonSchema
  depth: number
}

const below = ({ root, depth }: SchemaPosition): SchemaPosition => ({ root, depth: depth + 1 })

/** More than a value that a server wrote by such a schema can have. */
const maxSteps = 200

/** Without the nulls that stand for what was left out. */
function restored(value: unknown, schema: unknown, position: SchemaPosition): unknown {
  const rules = resolved(schema, position.root)
  if (!rules || typeof value !== 'object' || value === null || position.depth > maxSteps) return value
  const inner = (entry: unknown, part: unknown) => restored(entry, part, below(position))
  const branches = rules.anyOf ?? rules.oneOf
  if (Array.isArray(branches)) return branches.reduce((whole: unknown, branch) => inner(whole, branch), value)
  if (Array.isArray(value)) return value.map((entry) => inner(entry, rules.items))
  const properties = isSchema(rules.properties) ? rules.properties : {}
  const required = requiredOf(rules)
  const isOptional = (name: string) =>
    Object.hasOwn(properties, name) && !required.has(name) && !admitsNull(properties[name], position)
  const present = Object.entries(value).filter(([name, entry]) => entry !== null || !isOptional(name))
  return Object.fromEntries(present.map(([name, entry]) => [name, inner(entry, properties[name])]))
}

function admitsNull(schema: unknown, position: SchemaPosition): boolean {
  const rules = resolved(schema, position.root)
  if (!rules || position.depth > maxSteps) return false
  const branches = rules.anyOf ?? rules.oneOf
  if (Array.isArray(branches)) return branches.some((branch) => admitsNull(branch, below(position)))
  if (Array.isArray(rules.enum)) return rules.enum.includes(null)
  return (
    rules.const === null ||
    rules.type === 'null' ||
    (Array.isArray(rules.type) && rules.type.includes('null'))
  )
}

/** The rules that a reference inside the schema leads to; one step, as references to references are rare. */
function resolved(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  if (!isSchema(schema)) return undefined
  if (typeof schema.$ref !== 'string') return schema
  const found = schema.$ref
    .split('/')
    .slice(1)
    .reduce((part: unknown, name) => (isSchema(part) ? part[name] : undefined), root)
  return isSchema(found) ? found : undefined
}

/** Each entry of a list asks for the same rules again. */
const requiredNames = new WeakMap<JsonSchema, Set<unknown>>()

function requiredOf(rules: JsonSchema): Set<unknown> {
  const known = requiredNames.get(rules) ?? new Set(Array.isArray(rules.required) ? rules.required : [])
  requiredNames.set(rules, known)
  return known
}

function mapped(schemas: JsonSchema, change: (schema: unknown, name: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema, name)]))
}

function isSchema(given: unknown): given is JsonSchema {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

/**
 * What the API description says of an object that has every field of a named one: it refers to that instead of
 * repeating it. `meta` of a schema takes it.
 */
export function includes(name: string): { allOf: { $ref: string }[] } {
  return { allOf: [{ $ref: `#/$defs/${name}` }] }
}
