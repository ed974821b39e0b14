import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'

/** The part of a spec that was not found; undefined where everything was. */
export function onlyMissing(spec: ObjectSpec, missing: ReadonlySet<string>, at = ''): ObjectSpec | undefined {
  const fields = new Map<string, FieldSpec>()
  for (const [name, field] of spec.fields) {
    const path = at === '' ? name : `${at}.${name}`
    const kept =
      field.kind === 'object' ? onlyMissing(field, missing, path) : missing.has(path) ? field : undefined
    if (kept) fields.set(name, kept)
  }
  return fields.size === 0 ? undefined : { ...spec, fields }
}
