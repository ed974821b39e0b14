export interface StructuredItem {
  id?: string
  types: string[]
  properties: Map<string, Value[]>
}

export type Value = string | number | boolean | StructuredItem

export function bareName(name: string): string {
  return name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
}

export function isStructuredItem(value: Value): value is StructuredItem {
  return typeof value === 'object'
}

export function hasType(item: StructuredItem, types: ReadonlySet<string>): boolean {
  return item.types.some((type) => types.has(type.toLowerCase()))
}

export function valuesOf(item: StructuredItem, ...names: string[]): Value[] {
  return names.flatMap((name) => item.properties.get(name) ?? [])
}

export function structuredItemsOf(item: StructuredItem, ...names: string[]): StructuredItem[] {
  return valuesOf(item, ...names).filter(isStructuredItem)
}

export function textOf(item: StructuredItem, ...names: string[]): string | undefined {
  for (const value of valuesOf(item, ...names)) {
    const [named = ''] = isStructuredItem(value)
      ? valuesOf(value, 'name', '@value', 'value').filter((part) => !isStructuredItem(part))
      : [value]
    const text = String(named).trim()
    if (text) return text
  }
  return undefined
}
