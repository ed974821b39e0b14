/** Check digits of numbers that people and accounts are known by. Each takes digits alone. */

const digit = (text: string, at: number) => text.charCodeAt(at) - 48

/** Cards, Swedish and Canadian numbers. */
export function luhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const value = digit(digits, digits.length - 1 - at) * (at % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** The rest of a number of any length. */
export function rest(digits: string, by: number): number {
  let value = 0
  for (let at = 0; at < digits.length; at += 1) value = (value * 10 + digit(digits, at)) % by
  return value
}

export function weighed(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * digit(digits, at), 0)
}

/** ISO 7064, modulo 11 and 10: German tax numbers. */
export function mod11and10(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at += 1) {
    const sum = (digit(digits, at) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digit(digits, digits.length - 1)
}

const turned = [
  ...['0123456789', '1234067895', '2340178956', '3401289567', '4012395678'],
  ...['5987604321', '6598710432', '7659821043', '8765932104', '9876543210'],
]
const moved = [
  ...['0123456789', '1576283094', '5803796142', '8916043527'],
  ...['9453126870', '4286573901', '2793806415', '7046913258'],
]

/** Verhoeff: Indian numbers. */
export function verhoeff(digits: string): boolean {
  let check = 0
  for (let at = 0; at < digits.length; at += 1) {
    const place = digit(moved[at % 8] ?? '', digit(digits, digits.length - 1 - at))
    check = digit(turned[check] ?? '', place)
  }
  return check === 0
}

/** Whether a day of a month can be one, whatever the year. */
export function isDay(month: number, day: number): boolean {
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)
  )
}
