import type { Figure } from '../figure.ts'

/** Returns a figure with a count, and optionally its total. */
export function counted(what: string, count: number, total?: number): Figure {
  return { what, value: total === undefined ? String(count) : `${count} of ${total}` }
}
