/** Numbers as they are written, and words that begin with a capital letter inside a sentence. */
const numbers = /\d[\d.,]*\d|\d/g
const names = /(?<=[\p{L}\p{N},;:)"”’] )\p{Lu}[\p{L}\p{M}'’-]+/gu

/** The numbers and names of a text that stand in none of its sources. */
export function ungrounded(text: string, sources: readonly string[]): string[] {
  const all = fold(sources.join('\n'))
  const claims = [...(text.match(numbers) ?? []), ...(text.match(names) ?? [])]
  return [...new Set(claims)].filter((claim) => !holds(all, fold(claim)))
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

function holds(text: string, claim: string): boolean {
  if (/^\d/.test(claim)) return digitsIn(text).has(plainDigits(claim))
  return text.includes(claim.replace(/['’]s$/, ''))
}

/** 1,000 and 1.000 and 1000 are one number to whoever compares texts. */
const plainDigits = (number: string) => number.replace(/[.,](?=\d{3}(?:\D|$))/g, '')
const digitsIn = (text: string) => new Set((text.match(numbers) ?? []).map(plainDigits))
