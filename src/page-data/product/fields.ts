/** An object of a page's state. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these fields that holds something. */
export function fieldOf(fields: Fields, names: string[]): unknown {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

const maxListed = 1000

/** A list as states hold it: an array, the nodes or edges of a graph query, or one object alone. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxListed)
  if (!isFields(value)) return []
  const inner = fieldOf(value, ['nodes', 'edges'])
  if (!Array.isArray(inner)) return [value]
  return inner.slice(0, maxListed).map((edge) => (isFields(edge) ? (fieldOf(edge, ['node']) ?? edge) : edge))
}
