import { isObject } from './form/same.ts'

/** The request with a remedy merged in; null means to leave the option out. */
export function withFix(request: Record<string, unknown>, fix: Record<string, unknown>) {
  const merged = { ...request }
  for (const [name, value] of Object.entries(fix)) {
    const old = merged[name]
    if (value === null) delete merged[name]
    else merged[name] = isObject(value) && isObject(old) ? withFix(old, value) : value
  }
  return merged
}
