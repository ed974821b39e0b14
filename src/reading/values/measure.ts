import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import { readNumber } from './number.ts'

const longest = 200
const measured =
  /([-−]?\d[\d.,'’\u00A0\u202F]*(?:\s\d{3}(?!\d))?)\s*([\p{L}"″㎡][\p{L}²2.]*(?:\s(?:ft|feet|m|met(?:er|re)s?)\b)?)?/gu

/** A number in the unit that is asked for: what the page states in another one of its kind is converted, other things are not it. */
export function readMeasure(given: string, unit: Unit, language: string): number | undefined {
  const text = given.slice(0, longest).normalize('NFC')
  let bare: string | undefined
  let isOther = false
  for (const [, number = '', written] of text.matchAll(measured)) {
    const found = written === undefined ? undefined : writtenUnit(written)
    if (found?.of === unit.of) {
      const value = readNumber(number, language)
      if (value === undefined) continue
      return unit.size === 0 || found.size === 0 ? value : rounded((value * found.size) / unit.size)
    }
    if (found) isOther = true
    else bare ??= number
  }
  return isOther || bare === undefined ? undefined : readNumber(bare, language)
}

/** Conversion leaves dust behind the digits that count. */
function rounded(value: number): number {
  return Number(value.toPrecision(10))
}
