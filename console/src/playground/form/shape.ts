import { type OpenApi, resolve, type Schema } from '../../api/schema.ts'

/** What a field of a form looks like. */
export type Shape =
  | { kind: 'boolean' }
  | { kind: 'number'; least?: number; most?: number; isWhole: boolean }
  | { kind: 'text'; isLong: boolean }
  | { kind: 'choice'; values: string[] }
  | { kind: 'texts' }
  /** Each of these once, in any order. */
  | { kind: 'choices'; variants: Variant[]; canBeEmpty: boolean }
  /** Any of these, any number of times; the order counts. */
  | { kind: 'steps'; variants: Variant[] }
  | { kind: 'group'; fields: Field[] }
  | { kind: 'either'; shapes: { name: string; shape: Shape }[] }
  | { kind: 'file' }
  | { kind: 'json' }

export interface Field {
  name: string
  description?: string
  default?: unknown
  isRequired: boolean
  shape: Shape
}

/** A member of a list, distinguished by its type. */
export interface Variant {
  type: string
  description?: string
  fields: Field[]
  /** Its name alone stands for it. */
  isPlain: boolean
}

const longText = 5000

/** The fields of an object, those of the schemas it is made of included. */
export function fieldsOf(openApi: OpenApi, schema: Schema): Field[] {
  const { properties = {}, required = [], allOf = [] } = resolve(openApi, schema)
  const own = Object.entries(properties).map(([name, one]) => {
    const full = resolve(openApi, one)
    const { description } = full
    return {
      name,
      ...(description === undefined ? {} : { description }),
      default: full.default,
      isRequired: required.includes(name),
      shape: shapeOf(openApi, full, name),
    }
  })
  // What is said for one call alone, such as a label of the caller, matters less than what it shares with others.
  return [...allOf.flatMap((one) => fieldsOf(openApi, one)), ...own]
}

export function shapeOf(openApi: OpenApi, given: Schema, name: string): Shape {
  const schema = resolve(openApi, given)
  const alternatives = alternativesOf(openApi, schema)
  if (alternatives) {
    const [only, ...others] = alternatives
    if (!only) return { kind: 'json' }
    return others.length === 0 ? shapeOf(openApi, only, name) : eitherOf(openApi, alternatives, name)
  }
  if (schema.enum?.every((one) => typeof one === 'string')) return { kind: 'choice', values: schema.enum }
  switch (typeOf(schema)) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return { kind: 'text', isLong: isLong(schema, name) }
    case 'array':
      return listOf(openApi, schema)
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0
        ? { kind: 'group', fields: fieldsOf(openApi, schema) }
        : { kind: 'json' }
    default:
      return { kind: 'json' }
  }
}

/** The ways in which a value can be given; null is the same as leaving it out. */
function alternativesOf(openApi: OpenApi, schema: Schema): Schema[] | undefined {
  const all = schema.anyOf ?? schema.oneOf
  return all?.map((one) => resolve(openApi, one)).filter((one) => one.type !== 'null')
}

function typeOf({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

/** A number that any number satisfies has no bound worth showing. */
function numberOf({ minimum, exclusiveMinimum, maximum, type }: Schema): Shape {
  const least = minimum ?? exclusiveMinimum
  return {
    kind: 'number',
    isWhole: typeOf({ ...(type === undefined ? {} : { type }) }) === 'integer',
    ...(least === undefined || least <= Number.MIN_SAFE_INTEGER ? {} : { least }),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? {} : { most: maximum }),
  }
}

function isLong({ maxLength = 0 }: Schema, name: string): boolean {
  return maxLength >= longText && !/ur[il]$/i.test(name)
}

function eitherOf(openApi: OpenApi, alternatives: Schema[], name: string): Shape {
  const shapes = alternatives.map((one) => {
    const shape = shapeOf(openApi, one, name)
    return { name: wordOf[shape.kind], shape }
  })
  return { kind: 'either', shapes }
}

const wordOf: Record<Shape['kind'], string> = {
  boolean: 'yes or no',
  number: 'number',
  text: 'text',
  choice: 'one of a list',
  texts: 'list',
  choices: 'list',
  steps: 'list',
  group: 'with options',
  either: 'one of several',
  file: 'file',
  json: 'JSON',
}

function listOf(openApi: OpenApi, { items = {}, minItems = 0 }: Schema): Shape {
  const item = resolve(openApi, items)
  const variants = variantsOf(openApi, item)
  if (variants.length > 0) {
    const isChoice = variants.some(({ isPlain }) => isPlain)
    return isChoice ? { kind: 'choices', variants, canBeEmpty: minItems === 0 } : { kind: 'steps', variants }
  }
  return typeOf(item) === 'string' ? { kind: 'texts' } : { kind: 'json' }
}

/** Names and objects with a type, brought together by that. Deprecated ones are accepted by the service and not offered. */
function variantsOf(openApi: OpenApi, item: Schema): Variant[] {
  const found = new Map<string, Variant>()
  const removed = new Set<string>()
  const note = (type: string, more: Partial<Variant>) =>
    found.set(type, { type, fields: [], isPlain: false, ...found.get(type), ...more })
  const walk = (given: Schema) => {
    const schema = resolve(openApi, given)
    for (const one of schema.anyOf ?? schema.oneOf ?? []) walk(one)
    for (const one of schema.enum ?? []) if (typeof one === 'string') note(one, { isPlain: true })
    const types = schema.properties?.type
    const names = types?.enum ?? (types?.const === undefined ? [] : [types.const])
    const fields = names.length > 0 ? fieldsOf(openApi, schema).filter(({ name }) => name !== 'type') : []
    const { description, deprecated } = schema
    for (const one of names) {
      if (typeof one !== 'string') continue
      if (deprecated) removed.add(one)
      note(one, { fields, ...(description === undefined ? {} : { description }) })
    }
  }
  walk(item)
  for (const type of removed) found.delete(type)
  return [...found.values()].sort((one, other) => one.type.localeCompare(other.type))
}
