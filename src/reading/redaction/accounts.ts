import { luhn } from './checksums.ts'
import type { Found, RedactionMode } from './found.ts'
import { addressesIn } from './words-around.ts'

const cardPattern = /(?<![\w.,-])\d(?:[ \u00a0-]?\d){11,18}(?![\w-])/g

/** Numbers of cards: those of the companies, with a check digit. */
export function findCards(text: string, mode: RedactionMode): Found[] {
  const isInAddress = addressesIn(text)
  const found: Found[] = []
  for (const { 0: match, index } of text.matchAll(cardPattern)) {
    const digits = match.replace(/\D/g, '')
    if (!luhn(digits) || /^(\d)\1*$/.test(digits) || isInAddress(index)) continue
    const isSure = isCard(digits) && isGrouped(match)
    if (isSure || mode === 'aggressive')
      found.push({ start: index, end: index + match.length, entity: 'FINANCIAL' })
  }
  return found
}

/** Beginnings and lengths that companies give. */
function isCard(digits: string): boolean {
  const { length } = digits
  const four = Number(digits.slice(0, 4))
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19
  if (/^3[47]/.test(digits)) return length === 15
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length === 14
  if (/^62/.test(digits)) return length >= 16
  if (/^(?:50|5[6-9]|6[37])/.test(digits)) return length >= 12
  const isLong = four >= 2200 && four <= 2720
  return length === 16 && (isLong || /^(?:5[1-5]|6011|64[4-9]|65|60|8[12]|35[2-8])/.test(digits))
}

/** In one piece, or in the groups that cards show. */
function isGrouped(match: string): boolean {
  const groups = match.split(/\D/).map((group) => group.length)
  if (groups.length === 1) return true
  const last = groups.pop() ?? 0
  if (groups.every((length) => length === 4)) return last <= 4
  return groups.join() === '4,6' && (last === 4 || last === 5)
}

const ibanLengths = new Map(
  Object.entries({
    ...{
      AD: 24,
      AE: 23,
      AL: 28,
      AT: 20,
      AZ: 28,
      BA: 20,
      BE: 16,
      BG: 22,
      BH: 22,
      BR: 29,
      BY: 28,
      CH: 21,
      CR: 22,
    },
    ...{
      CY: 28,
      CZ: 24,
      DE: 22,
      DK: 18,
      DO: 28,
      EE: 20,
      EG: 29,
      ES: 24,
      FI: 18,
      FO: 18,
      FR: 27,
      GB: 22,
      GE: 22,
    },
    ...{
      GI: 23,
      GL: 18,
      GR: 27,
      GT: 28,
      HR: 21,
      HU: 28,
      IE: 22,
      IL: 23,
      IQ: 23,
      IS: 26,
      IT: 27,
      JO: 30,
      KW: 30,
    },
    ...{
      KZ: 20,
      LB: 28,
      LC: 32,
      LI: 21,
      LT: 20,
      LU: 20,
      LV: 21,
      LY: 25,
      MC: 27,
      MD: 24,
      ME: 22,
      MK: 19,
      MR: 27,
    },
    ...{
      MT: 31,
      MU: 30,
      NL: 18,
      NO: 15,
      PK: 24,
      PL: 28,
      PS: 29,
      PT: 25,
      QA: 29,
      RO: 24,
      RS: 22,
      SA: 24,
      SC: 31,
    },
    ...{
      SD: 18,
      SE: 24,
      SI: 19,
      SK: 24,
      SM: 27,
      ST: 25,
      SV: 28,
      TL: 23,
      TN: 24,
      TR: 26,
      UA: 29,
      VA: 22,
      VG: 24,
    },
    ...{ XK: 20 },
  }),
)

/** International account numbers, with their check digits. */
export function findIbans(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: match, index } of text.matchAll(/(?<!\w)[A-Z]{2}\d{2}/gi)) {
    const length = ibanLengths.get(match.slice(0, 2).toUpperCase())
    const end = length === undefined ? -1 : ibanEnd(text, index, length)
    if (end !== -1 && isIban(text.slice(index, end))) found.push({ start: index, end, entity: 'FINANCIAL' })
  }
  return found
}

/** The place behind `length` letters and digits with a space or a hyphen between some of them; -1 if there are fewer. */
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
  const plain = text.replace(/[^a-z\d]/gi, '').toUpperCase()
  let value = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const number = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 55
    value = (value * (number > 9 ? 100 : 10) + number) % 97
  }
  return value === 1
}
