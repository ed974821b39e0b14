import type { Found, RedactionMode } from './found.ts'
import { addressesIn, isNamed } from './words-around.ts'

/** Digits in groups, with what people put between them; a plus sign or a bracket before them. */
const candidate = /(?<![\w.,:/+-])(?:\+|\(\+?)?\d(?:[ \u00a0\u2011.\-/()]{0,2}\d)+(?![\w]|[.,:/-]\d)/g

const words =
  /(?:\b(?:tel|tél|phone|mobile?|mobil|m[oó]vil|cel|cell|celular|call|whatsapp|handy|hotline|sms|fax|dial)\b|telef\p{L}*|t[ée]l[ée]ph\p{L}*|textphone|rufnummer|тел|факс|电话|電話|手机|☎|📞|📱|\b[tmpf]\.?:)[^\d\n]{0,20}$/iu

/** Numbers of telephones, by the ways in which they are written. */
export function findPhones(text: string, mode: RedactionMode): Found[] {
  const isInAddress = addressesIn(text)
  const found: Found[] = []
  for (const { 0: match, index } of text.matchAll(candidate)) {
    if (match.length > longest || isInAddress(index)) continue
    const isLinked = text.slice(Math.max(0, index - 4), index).toLowerCase() === 'tel:'
    const isSure = isLinked || isInternational(match) || isAmerican(match)
    const isOne = isSure || (mode !== 'fast' && isLikely(text, index, match, mode))
    if (isOne) found.push({ start: index, end: index + match.length, entity: 'PHONE' })
  }
  return [...found, ...linked(text)]
}

/** With all its signs. */
const longest = 30

/** In a link the digits stand behind its scheme, in one piece. */
function linked(text: string): Found[] {
  return [...text.matchAll(/(?<=\b(?:tel|sms|callto):|wa\.me\/)\+?[\d().-]{5,24}(?<=\d)/gi)].map(
    ({ 0: match, index }) => ({
      ...{ start: index, end: index + match.length, entity: 'PHONE' as const },
    }),
  )
}

const digitsOf = (match: string) => match.replace(/\D/g, '')

function isInternational(match: string): boolean {
  const { length } = digitsOf(match)
  return /^\(?\+[1-9]/.test(match) && length >= 8 && length <= 15
}

/** Three, three and four digits, as in North America. */
const isAmerican = (match: string) =>
  /^(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}$/.test(match)

/** With the zero before an area: groups as they are usual, or a word before it. */
function isLikely(text: string, at: number, match: string, mode: RedactionMode): boolean {
  const digits = digitsOf(match)
  if (isDate(match) || isAmount(match) || digits.length < 6 || digits.length > 15) return false
  if (isNamed(text, at, words)) return true
  const isGrouped = /^\(?0\d{1,5}\)?[ /-]\(?\d/.test(match) && digits.length >= 9 && digits.length <= 12
  const isInPairs = /^0\d(?:[ .-]\d\d){4}$/.test(match)
  if (isInPairs || (isGrouped && !/\.\d/.test(match))) return true
  const groups = match.split(/\D+/).filter((group) => group !== '')
  return mode === 'aggressive' && digits.length >= 7 && groups.length > 1 && !/^97[89]/.test(digits)
}

const isDate = (match: string) =>
  /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?: \d{1,2})?$/.test(match) ||
  /^(?:19|20)\d\d[ /-](?:19|20)\d\d$/.test(match)

/** A large number with its thousands apart. */
const isAmount = (match: string) => /^[1-9]\d{0,2}(?:[. \u00a0]\d{3})+$/.test(match)
