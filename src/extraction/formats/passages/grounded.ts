import { once } from '../../../platform/functions.ts'

/** Numbers as they are written, words that begin with a capital letter inside a sentence, words in capitals, and addresses. */
const numbers = /\d[\d.,]*\d|\d/g
const names = /(?<=[\p{L}\p{N},;:)"”’] )\p{Lu}[\p{L}\p{M}'’-]+/gu
const capitals = /(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu
const addresses = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{Ll}{2,}/gu
/** Words that say something; in scripts without spaces, pairs of characters. */
const telling =
  /\p{Script=Han}{2}|\p{Script=Katakana}{2}|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{L}){4,}/gu
/** Endings change with the sentence. */
const stem = 5

/** The numbers, names and addresses of a text that stand in none of its sources; the text itself, if it shares nothing with them. */
export function ungroundedWarning(text: string, sources: readonly string[]): string[] {
  const all = fold(sources.join('\n'))
  const claims = [numbers, names, capitals, addresses].flatMap((pattern) => text.match(pattern) ?? [])
  const digits = once(() => digitsIn(all))
  const invented = [...new Set(claims)].filter(
    // Each claim is searched for in all sources, so the rest of a very long answer counts as not stated.
    (claim, index) => index >= maxClaims || !holds({ text: all, digits }, fold(claim)),
  )
  if (invented.length > 0 || claims.length > 0) return invented
  const words = fold(text).match(telling) ?? []
  const isShared = words.length === 0 || words.some((word) => all.includes(word.slice(0, stem)))
  return isShared ? [] : [text]
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()

const maxClaims = 1000

function holds({ text, digits }: { text: string; digits: () => Set<string> }, claim: string): boolean {
  if (/^\d/.test(claim)) return digits().has(plainDigits(claim))
  return text.includes(claim.replace(/['’]s$/, ''))
}

/** 1,000 and 1.000 and 1000 are one number when texts are compared. */
const plainDigits = (number: string) => number.replace(/[.,](?=\d{3}(?:\D|$))/g, '')
const digitsIn = (text: string) => new Set((text.match(numbers) ?? []).map(plainDigits))
