import { lazy } from '../../../platform/functions.ts'

/** Verifiable claims are numbers, capitalized words inside a sentence, acronyms and host names. */
const numbers = /\d[\d.,]*\d|\d/g
const names = /(?<=[\p{L}\p{N},;:)"”’] )\p{Lu}[\p{L}\p{M}'’-]+/gu
const acronyms = /(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu
const hostNames = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{Ll}{2,}/gu
/** In scripts without spaces, pairs of characters. */
const contentWords =
  /\p{Script=Han}{2}|\p{Script=Katakana}{2}|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{L}){4,}/gu
/** Endings of words vary with the sentence. */
const stemLength = 5

/**
 * Returns the claims that no source contains, or the complete text if it has no claims and shares no word with the
 * sources.
 */
export function findUngroundedClaims(text: string, sources: readonly string[]): string[] {
  const sourceText = fold(sources.join('\n'))
  const claims = [numbers, names, acronyms, hostNames].flatMap((pattern) => text.match(pattern) ?? [])
  const digits = lazy(() => digitsIn(sourceText))
  const ungrounded = [...new Set(claims)].filter(
    // Further claims count as not found, to bound the work for a very long answer.
    (claim, index) => index >= maxClaims || !contains({ text: sourceText, digits }, fold(claim)),
  )
  if (ungrounded.length > 0 || claims.length > 0) return ungrounded
  const words = fold(text).match(contentWords) ?? []
  const isShared = words.length === 0 || words.some((word) => sourceText.includes(word.slice(0, stemLength)))
  return isShared ? [] : [text]
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

const maxClaims = 1000

function contains({ text, digits }: { text: string; digits: () => Set<string> }, claim: string): boolean {
  if (/^\d/.test(claim)) return digits().has(plainDigits(claim))
  return text.includes(claim.replace(/['’]s$/, ''))
}

/** Thousands separators make no difference: 1,000 equals 1.000 and 1000. */
const plainDigits = (number: string) => number.replace(/[.,](?=\d{3}(?:\D|$))/g, '')
const digitsIn = (text: string) => new Set((text.match(numbers) ?? []).map(plainDigits))
