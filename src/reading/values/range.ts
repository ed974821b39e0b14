import { readNumber } from './number.ts'

const number = String.raw`\d[\d.,'’\u00A0\u202F]*(?:\s?k\b)?`
const between = new RegExp(
  String.raw`(${number})\s*(?:[\p{Sc}]|[A-Za-z]{1,4}\.?)?\s*(?:-|–|—|to|bis|à|a|until|and|und|al|t/m)\s*(?:[\p{Sc}]|[A-Z]{3})?\s*(${number})`,
  'u',
)

/** The lower or the upper end of a range of numbers: "$40k – $55k". */
export function readBound(text: string, bound: 'low' | 'high', language: string): number | undefined {
  const [, low, high] = between.exec(text.slice(0, 300)) ?? []
  if (low !== undefined && high !== undefined) {
    const [from, to] = [readNumber(low, language), readNumber(high, language)]
    // "40–55k" means thousands for both.
    if (from !== undefined && to !== undefined && from < to)
      return bound === 'high' ? to : /k\s*$/i.test(high) && from < 1000 ? from * 1000 : from
  }
  // One number is the upper end only where nothing else is said, or where it is called so.
  const isAlone = /^\s*[\d.,]+\s*$/.test(text)
  const isUpper = /\b(?:up to|max|maximum|bis|hasta|jusqu|fino a|tot|until)\b/i.test(text)
  if (bound === 'high') return isAlone || isUpper ? readNumber(text, language) : undefined
  return isUpper && !isAlone ? undefined : readNumber(text, language)
}
