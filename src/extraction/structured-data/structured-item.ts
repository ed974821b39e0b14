/** One described thing, however the page wrote it: its types and properties by their names in schema.org. */
export interface StructuredItem {
  id?: string
  types: string[]
  properties: Map<string, Value[]>
}

export type Value = string | number | boolean | StructuredItem

/** A name without its vocabulary: `http://schema.org/Product` and `schema:Product` are `Product`. */
export function bareName(name: string): string {
  return name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
}

export function isStructuredItem(value: Value): value is StructuredItem {
  return typeof value === 'object'
}

export function hasType(thing: StructuredItem, types: ReadonlySet<string>): boolean {
  return thing.types.some((type) => types.has(type.toLowerCase()))
}

export function valuesOf(thing: StructuredItem, ...names: string[]): Value[] {
  return names.flatMap((name) => thing.properties.get(name) ?? [])
}

export function structuredItemsOf(thing: StructuredItem, ...names: string[]): StructuredItem[] {
  return valuesOf(thing, ...names).filter(isStructuredItem)
}

/** The first of these properties that is a text or a number, as text; a thing stands for its name. */
export function textOf(thing: StructuredItem, ...names: string[]): string | undefined {
  for (const value of valuesOf(thing, ...names)) {
    const text = isStructuredItem(value) ? textOfName(value) : String(value).trim()
    if (text) return text
  }
  return undefined
}

function textOfName(thing: StructuredItem): string | undefined {
  const [name] = valuesOf(thing, 'name', '@value', 'value').filter((value) => !isStructuredItem(value))
  return name === undefined ? undefined : String(name).trim()
}
