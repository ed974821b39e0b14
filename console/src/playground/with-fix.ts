import { isObject, isSame } from './form/deep-equal.ts'
import type { Field } from './form/shape.ts'

/** The request with a remedy merged in; null means to leave the option out. */
export function applyFix(request: Record<string, unknown>, fix: Record<string, unknown>) {
  const merged = { ...request }
  for (const [name, value] of Object.entries(fix)) {
    const old = merged[name]
    if (value === null) delete merged[name]
    else merged[name] = isObject(value) && isObject(old) ? applyFix(old, value) : value
  }
  return merged
}

/** What equals its default need not be sent. */
export function withoutDefaults(request: Record<string, unknown>, fields: Field[]) {
  return Object.fromEntries(
    Object.entries(request).filter(
      ([name, value]) => !fields.some((field) => field.name === name && isSame(field.default, value)),
    ),
  )
}
