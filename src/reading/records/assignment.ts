import type { Slot } from '../fields/slots.ts'
import type { Column } from './cell.ts'

/** Which column holds a field, and how surely. */
export interface Assignment {
  slot: Slot
  column: Column
  /** Columns that say the same in the records which lack the first: a price that is reduced stands in another place. */
  more: Column[]
  score: number
}
