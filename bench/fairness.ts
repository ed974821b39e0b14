import { measureBackground } from './fairness/background.ts'
import type { Figure } from './figure.ts'

/** What one team can do to another: each shared pool is filled by one in the worst way, beside small calls of the other. */
export async function measure(): Promise<Figure[]> {
  return [...(await measureBackground())]
}
