import type { Unit } from '../vocabulary/units.ts'

const seconds = {
  ...{ year: 31_557_600, month: 2_629_800, week: 604_800, day: 86_400, hour: 3600, minute: 60, second: 1 },
}

const isoPattern =
  /^\s*P(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?\s*$/i

const unitPatterns: readonly [RegExp, number][] = [
  [/^(?:yrs?|years?|jahre?n?|ans?|anos?|ann[oi]|jaar|jaren)$/, seconds.year],
  [/^(?:mos?|months?|monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?)$/, seconds.month],
  [/^(?:wk|wks|weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|uger?|veckor?)$/, seconds.week],
  [/^(?:d|days?|tage?n?|jours?|j|dias?|giorn[oi]|dagen|dage?|dagar|dni|日)$/, seconds.day],
  [
    /^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore|ora|uur|uren|u|timer?|timmar?|t|godz|godzin[ay]?|hod|hodin[ay]?|時間|小时)$/,
    seconds.hour,
  ],
  [
    /^(?:m|mins?|minutes?|minuten?|minutos?|minut[oi]|minutter|minuter|minuty?|min|mn|minuut|分|分間|分钟)$/,
    seconds.minute,
  ],
  [/^(?:s|secs?|seconds?|sek|sekunden?|secondes?|segundos?|second[oi]|seconden?|秒)$/, seconds.second],
]

export function readDuration(text: string): number | undefined {
  const [isoDuration, weeks, days, hours, minutes, lastPart] = isoPattern.exec(text) ?? []
  if (isoDuration !== undefined && /\d/.test(isoDuration)) {
    const sizes = [seconds.week, seconds.day, seconds.hour, seconds.minute, seconds.second]
    return [weeks, days, hours, minutes, lastPart].reduce(
      (sum, part = '0', index) => sum + Number(part.replace(',', '.')) * (sizes[index] ?? 0),
      0,
    )
  }
  return readWrittenDuration(text)
}

const maxLength = 200
const partPattern = /(\d+(?:[.,]\d+)?|[¼½¾])\s*(?:([½¼¾])|(\d)\s*[/⁄]\s*(\d))?\s*-?\s*([\p{L}]+)?/gu

function readWrittenDuration(given: string): number | undefined {
  const text = given
    .slice(0, maxLength)
    .normalize('NFKC')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  let total = 0
  let previousSize = 0
  let isFound = false
  for (const match of text.matchAll(partPattern)) {
    const [, digits = '', , , , unit] = match
    // "1h30": a number without a unit after hours is in minutes.
    const impliedSize = previousSize === seconds.hour ? seconds.minute : undefined
    const size = unit === undefined ? impliedSize : unitPatterns.find(([pattern]) => pattern.test(unit))?.[1]
    // A unit that is not smaller than the previous one begins another duration: "10 min 5 min".
    if (isFound && (size === undefined || size >= previousSize)) break
    if (size === undefined) continue
    total += (toNumber(digits) + readFraction(match)) * size
    previousSize = size
    isFound = true
  }
  return isFound ? total : readClockDuration(text)
}

const fractions: Record<string, number> = { '¼': 0.25, '½': 0.5, '¾': 0.75 }

function toNumber(text: string): number {
  return fractions[text] ?? Number(text.replace(',', '.'))
}

function readFraction([, , symbol, upper, lower]: RegExpMatchArray): number {
  if (symbol !== undefined) return fractions[symbol] ?? 0
  return upper === undefined ? 0 : Number(upper) / Number(lower || 1)
}

function readClockDuration(text: string): number | undefined {
  const [, hours, minutes] = /^\s*(\d{1,2}):([0-5]\d)\s*(?:h|uhr)?\s*$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * seconds.hour + Number(minutes) * seconds.minute
}

export function inUnit(duration: number, unit: Unit | undefined): number {
  return duration / (unit?.of === 'time' ? unit.size : seconds.minute)
}
