import { type OpenApi, resolveRef, type Schema } from '../../api/schema.ts'

/** Form control of a field, derived from its JSON Schema. */
export type Shape =
  | { kind: 'boolean' }
  | { kind: 'number'; min?: number; max?: number; isInteger: boolean }
  | { kind: 'text'; isLong: boolean }
  | { kind: 'choice'; values: string[] }
  | { kind: 'stringList' }
  /** Each variant at most once, in any order. */
  | { kind: 'multiSelect'; variants: Variant[]; canBeEmpty: boolean }
  /** Variants in a significant order, any number of times. */
  | { kind: 'steps'; variants: Variant[] }
  | { kind: 'group'; fields: Field[] }
  | { kind: 'union'; shapes: { name: string; shape: Shape }[] }
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
  /** True if the schema accepts the type name as a plain string. */
  isPlain: boolean
}

const minLongTextLength = 5000

/** Returns the fields of an object schema, including those of `allOf`. */
export function toFields(openApi: OpenApi, schema: Schema): Field[] {
  const { properties = {}, required = [], allOf = [] } = resolveRef(openApi, schema)
  const ownFields = Object.entries(properties).map(([name, property]) => {
    const resolved = resolveRef(openApi, property)
    const { description } = resolved
    return {
      name,
      ...(description === undefined ? {} : { description }),
      default: resolved.default,
      isRequired: required.includes(name),
      shape: toShape(openApi, resolved, name),
    }
  })
  // Fields of `allOf` come first: other calls share them, and they are more important than the fields of this call
  // only.
  return [...allOf.flatMap((part) => toFields(openApi, part)), ...ownFields]
}

export function toShape(openApi: OpenApi, schemaOrRef: Schema, name: string): Shape {
  const schema = resolveRef(openApi, schemaOrRef)
  const alternatives = getAlternatives(openApi, schema)
  if (alternatives) {
    const [onlyAlternative, ...others] = alternatives
    if (!onlyAlternative) return { kind: 'json' }
    return others.length === 0
      ? toShape(openApi, onlyAlternative, name)
      : toUnionShape(openApi, alternatives, name)
  }
  if (schema.enum?.every((option) => typeof option === 'string'))
    return { kind: 'choice', values: schema.enum }
  switch (getType(schema)) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number':
      return toNumberShape(schema)
    case 'string':
      return { kind: 'text', isLong: isLong(schema, name) }
    case 'array':
      return toListShape(openApi, schema)
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0
        ? { kind: 'group', fields: toFields(openApi, schema) }
        : { kind: 'json' }
    default:
      return { kind: 'json' }
  }
}

/** Returns the alternatives of `anyOf` or `oneOf`. Drops null, which means the same as no value. */
function getAlternatives(openApi: OpenApi, schema: Schema): Schema[] | undefined {
  const alternatives = schema.anyOf ?? schema.oneOf
  return alternatives
    ?.map((alternative) => resolveRef(openApi, alternative))
    .filter((alternative) => alternative.type !== 'null')
}

function getType({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type.find((typeName) => typeName !== 'null') : type
}

/** Omits bounds at the limits of safe integers, because they do not restrict the input. */
function toNumberShape({ minimum, exclusiveMinimum, maximum, type }: Schema): Shape {
  const lowerBound = minimum ?? exclusiveMinimum
  return {
    kind: 'number',
    isInteger: getType({ ...(type === undefined ? {} : { type }) }) === 'integer',
    ...(lowerBound === undefined || lowerBound <= Number.MIN_SAFE_INTEGER ? {} : { min: lowerBound }),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? {} : { max: maximum }),
  }
}

function isLong({ maxLength = 0 }: Schema, name: string): boolean {
  return maxLength >= minLongTextLength && !/ur[il]$/i.test(name)
}

function toUnionShape(openApi: OpenApi, alternatives: Schema[], name: string): Shape {
  const shapes = alternatives.map((alternative) => {
    const shape = toShape(openApi, alternative, name)
    return { name: kindLabels[shape.kind], shape }
  })
  return { kind: 'union', shapes }
}

const kindLabels: Record<Shape['kind'], string> = {
  boolean: 'yes or no',
  number: 'number',
  text: 'text',
  choice: 'one of a list',
  stringList: 'list',
  multiSelect: 'list',
  steps: 'list',
  group: 'with options',
  union: 'one of several',
  file: 'file',
  json: 'JSON',
}

function toListShape(openApi: OpenApi, { items = {}, minItems = 0 }: Schema): Shape {
  const item = resolveRef(openApi, items)
  const variants = collectVariants(openApi, item)
  if (variants.length > 0) {
    const isChoice = variants.some(({ isPlain }) => isPlain)
    return isChoice
      ? { kind: 'multiSelect', variants, canBeEmpty: minItems === 0 }
      : { kind: 'steps', variants }
  }
  return getType(item) === 'string' ? { kind: 'stringList' } : { kind: 'json' }
}

/**
 * Collects the variants of list items: enum strings, and objects with a constant `type`, merged by type. Omits
 * deprecated variants, which the service still accepts.
 */
function collectVariants(openApi: OpenApi, item: Schema): Variant[] {
  const variants = new Map<string, Variant>()
  const deprecatedTypes = new Set<string>()
  const addVariant = (type: string, changes: Partial<Variant>) =>
    variants.set(type, { type, fields: [], isPlain: false, ...variants.get(type), ...changes })
  const visit = (schemaOrRef: Schema) => {
    const schema = resolveRef(openApi, schemaOrRef)
    for (const alternative of schema.anyOf ?? schema.oneOf ?? []) visit(alternative)
    for (const type of schema.enum ?? []) if (typeof type === 'string') addVariant(type, { isPlain: true })
    const types = schema.properties?.type
    const names = types?.enum ?? (types?.const === undefined ? [] : [types.const])
    const fields = names.length > 0 ? toFields(openApi, schema).filter(({ name }) => name !== 'type') : []
    const { description, deprecated } = schema
    for (const type of names) {
      if (typeof type !== 'string') continue
      if (deprecated) deprecatedTypes.add(type)
      addVariant(type, { fields, ...(description === undefined ? {} : { description }) })
    }
  }
  visit(item)
  for (const type of deprecatedTypes) variants.delete(type)
  return [...variants.values()].sort((left, right) => left.type.localeCompare(right.type))
}
