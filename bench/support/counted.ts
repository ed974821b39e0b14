import type { Figure } from '../figure.ts'

/** Returns a figure with a count, and optionally its total. */
export function counted(name: string, count: number, total?: number): Figure {
  return { name, value: total === undefined ? String(count) : `${count} of ${total}` }
}
