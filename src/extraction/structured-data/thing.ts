/** One described thing, however the page wrote it: its types and properties by their names in schema.org. */
export interface Thing {
  id?: string
  types: string[]
  properties: Map<string, Value[]>
}

export type Value = string | number | boolean | Thing

/** A name without its vocabulary: `http://schema.org/Product` and `schema:Product` are `Product`. */
export function bareName(name: string): string {
  return name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
}

export function isThing(value: Value): value is Thing {
  return typeof value === 'object'
}

export function hasType(thing: Thing, types: ReadonlySet<string>): boolean {
  return thing.types.some((type) => types.has(type.toLowerCase()))
}

export function valuesOf(thing: Thing, ...names: string[]): Value[] {
  return names.flatMap((name) => thing.properties.get(name) ?? [])
}

export function thingsOf(thing: Thing, ...names: string[]): Thing[] {
  return valuesOf(thing, ...names).filter(isThing)
}

/** The first of these properties that is a text or a number, as text; a thing stands for its name. */
export function textOf(thing: Thing, ...names: string[]): string | undefined {
  for (const value of valuesOf(thing, ...names)) {
    const text = isThing(value) ? textOfName(value) : String(value).trim()
    if (text) return text
  }
  return undefined
}

function textOfName(thing: Thing): string | undefined {
  const [name] = valuesOf(thing, 'name', '@value', 'value').filter((value) => !isThing(value))
  return name === undefined ? undefined : String(name).trim()
}
