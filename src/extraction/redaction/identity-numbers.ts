import { createUrlTest, hasWordBefore, type PiiMatch, type RedactionMode, toPiiMatch } from './pii-match.ts'

interface IdentityNumber {
  pattern: RegExp
  /** Returns true if the characters, without separators, are a valid number. */
  check?(characters: string): boolean
  /** Names of the number, one of which must precede it, because many other numbers have the same format. */
  requiredWords?: RegExp
}

const toNumber = (part: string, from: number, to?: number) => Number(part.slice(from, to))

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'
const hetuLetters = '0123456789ABCDEFHJKLMNPRSTUVWXY'
const oddValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

const identityNumbers: Record<string, IdentityNumber> = {
  usSsn: { pattern: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g },
  usSsnSpaced: {
    pattern: /(?<![\w-])(?!000|666|9)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4}(?![\w-])/g,
    requiredWords: /ssn|social\s+security/i,
  },
  ukNino: {
    pattern:
      /(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
  },
  frNir: {
    pattern: /(?<!\w)[12] ?\d{2} ?(?:0[1-9]|[1-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/g,
    check: (nir) => {
      const digits = nir.replace('2A', '19').replace('2B', '18')
      return 97 - remainder(digits.slice(0, 13), 97) === toNumber(digits, 13)
    },
  },
  esDni: {
    pattern: /(?<![\w.-])(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?![\w-])/g,
    check: (dni) => {
      const digits = dni.replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))).slice(0, -1)
      return dniLetters[Number(digits) % 23] === dni.at(-1)
    },
  },
  itCodiceFiscale: {
    pattern: /(?<!\w)[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?!\w)/g,
    check: (code) => {
      const value = (character: string) =>
        /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
      let sum = 0
      for (const [at, character] of [...code.slice(0, 15)].entries())
        sum += at % 2 === 0 ? (oddValues[value(character)] ?? 0) : value(character)
      return String.fromCharCode(65 + (sum % 26)) === code.at(-1)
    },
  },
  deSteuerId: {
    pattern: /(?<![\w-])[1-9]\d(?: ?)\d{3}(?: ?)\d{3}(?: ?)\d{3}(?![\w-])/g,
    check: (id) => repeatsOneDigit(id.slice(0, 10)) && mod11and10(id),
    requiredWords: /steuer|\bid-?nr|\btin\b/i,
  },
  nlBsn: {
    pattern: /(?<![\w.-])\d{4}[ .]?\d{2}[ .]?\d{3}(?![\w-])/g,
    check: (bsn) => weightedSum(bsn, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    requiredWords: /\bbsn\b|burgerservice|sofi/i,
  },
  sePersonnummer: {
    pattern: /(?<![\w-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])/g,
    check: (full) => {
      const digits = full.slice(-10)
      const day = toNumber(digits, 4, 6)
      return isDay(toNumber(digits, 2, 4), day > 60 ? day - 60 : day) && luhn(digits)
    },
  },
  plPesel: {
    pattern: /(?<![\w-])\d{11}(?![\w-])/g,
    check: (pesel) =>
      isDay(toNumber(pesel, 2, 4) % 20, toNumber(pesel, 4, 6)) &&
      weightedSum(pesel, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
    requiredWords: /pesel/i,
  },
  brCpf: { pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, check: isCpf },
  brCpfPlain: { pattern: /(?<![\w.-])\d{11}(?![\w-])/g, check: isCpf, requiredWords: /\bcpf\b/i },
  inAadhaar: {
    pattern: /(?<![\w-])[2-9]\d{3} \d{4} \d{4}(?![\w-]| \d)/g,
    // Exclude three years in a row, because one in ten such texts has a valid check digit.
    check: (id) => verhoeff(id) && !/^(?:(?:19|20)\d\d){3}$/.test(id),
  },
  chAhv: {
    pattern: /(?<![\w.-])756\.?\d{4}\.?\d{4}\.?\d{2}(?![\w-])/g,
    check: (ahv) => weightedSum(ahv, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  },
  beRijksregister: {
    pattern: /(?<![\w.-])\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?![\w-])/g,
    check: (id) => {
      const checkNumber = (century: string) => 97 - remainder(century + id.slice(0, 9), 97)
      return [checkNumber(''), checkNumber('2')].includes(toNumber(id, 9))
    },
  },
  fiHetu: {
    pattern: /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[\dA-FHJ-NPR-Y](?![\w-])/g,
    check: (id) => {
      const digits = id.slice(0, 6) + id.slice(-4, -1)
      const isValidDay = isDay(toNumber(id, 2, 4), toNumber(id, 0, 2))
      return isValidDay && hetuLetters[Number(digits) % 31] === id.at(-1)
    },
  },
  caSin: {
    pattern: /(?<![\w-])[1-79]\d{2}[- ]\d{3}[- ]\d{3}(?![\w-])/g,
    check: luhn,
    requiredWords: /\bsin\b|social\s+insurance/i,
  },
}

export function findIdentityNumbers(text: string, mode: RedactionMode): PiiMatch[] {
  return Object.values(identityNumbers).flatMap(({ pattern, check = () => true, requiredWords }) => {
    if (requiredWords && mode === 'fast') return []
    const isInUrl = createUrlTest(text)
    const piiMatches: PiiMatch[] = []
    for (const match of text.matchAll(pattern)) {
      const isCertain =
        !requiredWords || mode === 'aggressive' || hasWordBefore(text, match.index, requiredWords)
      if (!isCertain || isInUrl(match.index) || !check(match[0].replace(/[\s.+-]/g, ''))) continue
      piiMatches.push(toPiiMatch(match, 'FINANCIAL'))
    }
    return piiMatches
  })
}

/** True if exactly one digit occurs two or three times, and no other digit is repeated. */
function repeatsOneDigit(digits: string): boolean {
  const counts = [...new Set(digits)].map((one) => digits.split(one).length - 1)
  const repeated = counts.filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

function isCpf(cpf: string): boolean {
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, at) => length + 1 - at)
    return ((weightedSum(cpf, weights) * 10) % 11) % 10
  }
  return !/^(\d)\1*$/.test(cpf) && check(9) === toNumber(cpf, 9, 10) && check(10) === toNumber(cpf, 10)
}

const digit = (text: string, at: number) => text.charCodeAt(at) - 48

export function luhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const value = digit(digits, digits.length - 1 - at) * (at % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

export function remainder(digits: string, by: number): number {
  let value = 0
  for (let at = 0; at < digits.length; at += 1) value = (value * 10 + digit(digits, at)) % by
  return value
}

export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * digit(digits, at), 0)
}

/** ISO 7064, MOD 11,10: German tax numbers. */
export function mod11and10(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at += 1) {
    const sum = (digit(digits, at) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digit(digits, digits.length - 1)
}

const multiplicationTable = [
  ...['0123456789', '1234067895', '2340178956', '3401289567', '4012395678'],
  ...['5987604321', '6598710432', '7659821043', '8765932104', '9876543210'],
]
const permutationTable = [
  ...['0123456789', '1576283094', '5803796142', '8916043527'],
  ...['9453126870', '4286573901', '2793806415', '7046913258'],
]

export function verhoeff(digits: string): boolean {
  let check = 0
  for (let at = 0; at < digits.length; at += 1) {
    const permuted = digit(permutationTable[at % 8] ?? '', digit(digits, digits.length - 1 - at))
    check = digit(multiplicationTable[check] ?? '', permuted)
  }
  return check === 0
}

const maxDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export const isDay = (month: number, day: number) => day >= 1 && day <= (maxDays[month - 1] ?? 0)
