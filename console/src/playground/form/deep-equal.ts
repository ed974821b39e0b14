/** Returns true if two values have the same JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a copy of the object with one value set; undefined removes the key. */
export function withValue(object: Record<string, unknown>, name: string, value: unknown) {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _, ...rest } = object
  return rest
}
