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
  maxItems: number
}

export interface ValueSpec {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'any'
  label: Label
  format: string | undefined
  choices: readonly (string | number | boolean)[] | undefined
  bounds: Partial<Record<'min' | 'max' | 'minLength' | 'maxLength', number | undefined>>
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface Label {
  name: string
  description: string
}

const maxWords = 40

export function wordsOf(spec: FieldSpec): string {
  const words = [...listNames(spec)].flatMap((name) =>
    name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u),
  )
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))]
    .slice(0, maxWords)
    .join(' ')
}

/** True if a schema has no readable field. Some clients send an empty schema if they cannot convert theirs. */
export function isEmptySchema(spec: FieldSpec): boolean {
  if (spec.kind === 'object') return spec.fields.size === 0
  return spec.kind === 'any' && spec.choices === undefined && spec.label.description === ''
}

function* listNames(spec: FieldSpec): Generator<string> {
  yield spec.label.name
  if (spec.kind === 'list') yield* listNames(spec.item)
  if (spec.kind === 'object') for (const field of spec.fields.values()) yield* listNames(field)
}

const rootName = 'value'

/** Returns the paths of all fields of a spec. Objects are expanded, lists are not. */
export function fieldPaths(spec: FieldSpec, at = ''): string[] {
  if (spec.kind !== 'object') return [at === '' ? rootName : at]
  return [...spec.fields].flatMap(([name, field]) => fieldPaths(field, at === '' ? name : `${at}.${name}`))
}

/** Returns the extracted values by the paths of `fieldPaths`. */
export function fieldValues(spec: FieldSpec, value: unknown, at = ''): [path: string, value: unknown][] {
  if (value === undefined) return []
  if (spec.kind !== 'object') return [[at === '' ? rootName : at, value]]
  if (!isObject(value)) return []
  return [...spec.fields].flatMap(([name, field]) =>
    Object.hasOwn(value, name) ? fieldValues(field, value[name], at === '' ? name : `${at}.${name}`) : [],
  )
}
