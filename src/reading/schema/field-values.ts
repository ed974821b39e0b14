import type { FieldSpec } from './field-spec.ts'

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
