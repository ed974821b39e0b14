/** Merges parameters into a request: objects are merged, other values are replaced, and null removes an option. */
export function mergeParameters(request: object, parameters: object): object {
  const result: Record<string, unknown> = { ...request }
  for (const [name, value] of Object.entries(parameters)) {
    const old = result[name]
    if (value === null) delete result[name]
    else result[name] = isObject(old) && isObject(value) ? mergeParameters(old, value) : value
  }
  return result
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
