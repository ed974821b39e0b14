import { isObject, isSame } from './form/deep-equal.ts'
import type { Field } from './form/shape.ts'

/** Returns the request with the suggested fix merged in. A null in the fix removes an option. */
export function applyFix(request: Record<string, unknown>, fix: Record<string, unknown>) {
  const merged = { ...request }
  for (const [name, value] of Object.entries(fix)) {
    const previous = merged[name]
    if (value === null) delete merged[name]
    else merged[name] = isObject(value) && isObject(previous) ? applyFix(previous, value) : value
  }
  return merged
}

/** Removes options that equal their default. */
export function withoutDefaults(request: Record<string, unknown>, fields: Field[]) {
  return Object.fromEntries(
    Object.entries(request).filter(
      ([name, value]) => !fields.some((field) => field.name === name && isSame(field.default, value)),
    ),
  )
}
