import type { SupportCase } from './support-case.ts'

export interface Finding {
  /** How sure the facts make it, 0 to 1. */
  sureness: number
  /** Seen, not supposed: that no option helps says nothing against it. */
  isSeen?: boolean
  /** What is the matter, in one sentence. */
  diagnosis: string
  /** What to do about it, in one sentence. */
  advice: string
  /** Options that may mend it, the likeliest first; each is tried. */
  fixes?: Record<string, unknown>[]
}

/** A reason why calls do not bring what was expected. */
export interface Cause {
  name: string
  /** Undefined where the facts do not speak for it. */
  find(facts: SupportCase): Finding | undefined
}

export function defineCause(cause: Cause): Cause {
  return cause
}
