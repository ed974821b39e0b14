import { z } from 'zod'

/** A query is compared in each of them. */
export const mostLanguages = 12

const codes = z.array(z.string())

/** The languages of an index as its row keeps them. */
export function knownLanguages(text: string): string[] {
  return codes.parse(JSON.parse(text))
}
