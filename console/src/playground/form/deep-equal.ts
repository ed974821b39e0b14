/** Whether two values would be sent alike. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object with one value changed, or left out. */
export function withValue(object: Record<string, unknown>, name: string, value: unknown) {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _, ...rest } = object
  return rest
}
