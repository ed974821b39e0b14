import { listedAttributes, listedTags } from './names.ts'

/** Finds the number of a listed name in a page without cutting it out. */
export interface NameTable {
  slots: Uint16Array
  names: readonly string[]
}

const slotCount = 4096
const firstHash = 5381

export const tagTable = nameTable(listedTags)
export const attributeTable = nameTable(listedAttributes)

function nameTable(names: readonly string[]): NameTable {
  const slots = new Uint16Array(slotCount)
  for (const [id, name] of names.entries()) {
    if (id === 0) continue
    let slot = hashOf(name, 0, name.length)
    while (slots[slot] !== 0) slot = next(slot)
    slots[slot] = id
  }
  return { slots, names }
}

/** The number of the name that stands there, or zero. */
export function findName(table: NameTable, html: string, start: number, end: number): number {
  const length = end - start
  for (let slot = hashOf(html, start, end); ; slot = next(slot)) {
    const id = table.slots[slot] ?? 0
    if (id === 0) return 0
    const name = table.names[id] ?? ''
    if (name.length === length && isName(name, html, start)) return id
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = firstHash
  for (let at = start; at < end; at += 1) hash = ((hash << 5) + hash + lowered(text.charCodeAt(at))) | 0
  return hash & (slotCount - 1)
}

function next(slot: number): number {
  return (slot + 1) & (slotCount - 1)
}

function isName(name: string, html: string, start: number): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (lowered(html.charCodeAt(start + at)) !== name.charCodeAt(at)) return false
  }
  return true
}

function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
