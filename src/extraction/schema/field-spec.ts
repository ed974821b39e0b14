/** What is read for a field: the JSON Schema of a caller, compiled for the readers. */
export type FieldSpec = ObjectSpec | ListSpec | ValueSpec

export interface ObjectSpec {
  kind: 'object'
  label: Label
  fields: Map<string, FieldSpec>
  required: ReadonlySet<string>
}

export interface ListSpec {
  kind: 'list'
  label: Label
  item: FieldSpec
  most: number
}

export interface ValueSpec {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'any'
  label: Label
  /** The format of a text: `date`, `uri` and so on. */
  format: string | undefined
  /** The only values that it may have. */
  choices: readonly (string | number | boolean)[] | undefined
  bounds: ValueBounds
}

export interface ValueBounds {
  least?: number
  most?: number
  shortest?: number
  longest?: number
  pattern?: string
}

/** True for an object as JSON has them: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a field is called, and what is said of it. */
export interface Label {
  name: string
  description: string
}

const maxWords = 40

/** The words of the names in a schema. Pages are found by them if the caller gave neither addresses nor a prompt. */
export function wordsOf(spec: FieldSpec): string {
  const words = [...names(spec)].flatMap((name) =>
    name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))]
    .slice(0, maxWords)
    .join(' ')
}

/** True if a schema names nothing that could be read. Some clients send an empty one for what they cannot translate. */
export function isEmptySchema(spec: FieldSpec): boolean {
  if (spec.kind === 'object') return spec.fields.size === 0
  return spec.kind === 'any' && spec.choices === undefined && spec.label.description === ''
}

function* names(spec: FieldSpec): Generator<string> {
  yield spec.label.name
  if (spec.kind === 'list') yield* names(spec.item)
  if (spec.kind === 'object') for (const field of spec.fields.values()) yield* names(field)
}

/** What a value that is no object is called. */
const alone = 'value'

/** The paths of all fields of a spec; objects are taken apart, lists are not. */
export function fieldPaths(spec: FieldSpec, at = ''): string[] {
  if (spec.kind !== 'object') return [at === '' ? alone : at]
  return [...spec.fields].flatMap(([name, field]) => fieldPaths(field, at === '' ? name : `${at}.${name}`))
}

/** What was found, by the same paths. */
export function fieldValues(spec: FieldSpec, value: unknown, at = ''): [path: string, value: unknown][] {
  if (value === undefined) return []
  if (spec.kind !== 'object') return [[at === '' ? alone : at, value]]
  if (typeof value !== 'object' || value === null) return []
  const known = value as Record<string, unknown>
  return [...spec.fields].flatMap(([name, field]) =>
    Object.hasOwn(known, name) ? fieldValues(field, known[name], at === '' ? name : `${at}.${name}`) : [],
  )
}
