import type { Figure } from '../figure.ts'

/** A count, and of how many. */
export function counted(what: string, count: number, of?: number): Figure {
  return { what, value: of === undefined ? String(count) : `${count} of ${of}` }
}
