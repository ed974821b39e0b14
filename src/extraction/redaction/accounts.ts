import { luhn } from './identity-numbers.ts'
import { createUrlTest, type PiiMatch, type RedactionMode, toPiiMatch } from './pii-match.ts'

const cardPattern = /(?<![\w.,-])\d(?:[ \u00a0-]?\d){11,18}(?![\w-])/g

/** In other modes than `aggressive`, the prefix and the groups of a valid number must match too. */
export function findCards(text: string, mode: RedactionMode): PiiMatch[] {
  const isInUrl = createUrlTest(text)
  const piiMatches: PiiMatch[] = []
  for (const match of text.matchAll(cardPattern)) {
    const digits = match[0].replace(/\D/g, '')
    if (!luhn(digits) || /^(\d)\1*$/.test(digits) || isInUrl(match.index)) continue
    if (mode === 'aggressive' || (isCard(digits) && isGrouped(match[0])))
      piiMatches.push(toPiiMatch(match, 'FINANCIAL'))
  }
  return piiMatches
}

function isCard(digits: string): boolean {
  const { length } = digits
  const prefix = Number(digits.slice(0, 4))
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19
  if (/^3[47]/.test(digits)) return length === 15
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length === 14
  if (/^62/.test(digits)) return length >= 16
  if (/^(?:50|5[6-9]|6[37])/.test(digits)) return length >= 12
  const isTwoSeries = prefix >= 2200 && prefix <= 2720
  return length === 16 && (isTwoSeries || /^(?:5[1-5]|6011|64[4-9]|65|60|8[12]|35[2-8])/.test(digits))
}

function isGrouped(match: string): boolean {
  const groups = match.split(/\D/).map((group) => group.length)
  if (groups.length === 1) return true
  const last = groups.pop() ?? 0
  if (groups.every((length) => length === 4)) return last <= 4
  return groups.join() === '4,6' && (last === 4 || last === 5)
}

const ibanLengths = new Map(
  [
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23',
    'GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30',
    'NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export function findIbans(text: string): PiiMatch[] {
  const piiMatches: PiiMatch[] = []
  for (const { 0: match, index } of text.matchAll(/(?<!\w)[A-Z]{2}\d{2}/gi)) {
    const length = ibanLengths.get(match.slice(0, 2).toUpperCase())
    const end = length === undefined ? -1 : ibanEnd(text, index, length)
    if (end !== -1 && isIban(text.slice(index, end)))
      piiMatches.push({ start: index, end, entity: 'FINANCIAL' })
  }
  return piiMatches
}

/** Returns the offset after exactly `length` letters and digits, with spaces or hyphens between them, or -1. */
function ibanEnd(text: string, start: number, length: number): number {
  let [at, count] = [start, 0]
  while (count < length) {
    if (isWord(text, at)) count += 1
    else if (!/[ \u00a0-]/.test(text.charAt(at)) || !isWord(text, at + 1)) return -1
    at += 1
  }
  return isWord(text, at) ? -1 : at
}

const isWord = (text: string, at: number) => /[a-z\d]/i.test(text.charAt(at))

function isIban(text: string): boolean {
  const normalised = text.replace(/[^a-z\d]/gi, '').toUpperCase()
  let value = 0
  for (const character of normalised.slice(4) + normalised.slice(0, 4)) {
    const number = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 55
    value = (value * (number > 9 ? 100 : 10) + number) % 97
  }
  return value === 1
}
