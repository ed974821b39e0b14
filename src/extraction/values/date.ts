export interface WrittenDate {
  year: number
  month: number
  day: number
  time?: { hours: number; minutes: number; seconds: number; zone: string } | undefined
}

const maxLength = 120
const months: readonly RegExp[] = [
  /^(?:jan|ene|gen|sty|led|janv|tammi)/,
  /^(?:feb|fev|lut|uno|helmi)/,
  /^(?:mar|mrt|maerz|bre|maalis|mrz)/,
  /^(?:apr|avr|abr|kwi|dub|huhti)/,
  /^(?:may|mai|maj|mei|mag|kve|touko)/,
  /^(?:jun|juin|giu|cze|cer(?!v?enec)|kesa)/,
  /^(?:jul|juil|lug|lip|cervenec|heina)/,
  /^(?:aug|aou|ago|sie|srp|elo)/,
  /^(?:sep|set|wrz|zar|syys)/,
  /^(?:oct|okt|ott|out|paz|rij|loka)/,
  /^(?:nov|lis|listo|marras)/,
  /^(?:dec|dez|dic|gru|pro|joulu)/,
]

const day = String.raw`(\d{1,2})(?:st|nd|rd|th|\.|º|er|de)?`
const patterns: readonly [
  RegExp,
  (found: RegExpExecArray, isMonthFirst: boolean) => (number | undefined)[],
][] = [
  [/(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ([, y, m, d]) => [Number(y), Number(m), Number(d)]],
  [/(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/, ([, y, m, d]) => [Number(y), Number(m), Number(d)]],
  [/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/, ([, d, m, y]) => [Number(y), Number(m), Number(d)]],
  [
    /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/,
    ([, one, two, y], isMonthFirst) =>
      (isMonthFirst && Number(one) <= 12) || Number(two) > 12
        ? [Number(y), Number(one), Number(two)]
        : [Number(y), Number(two), Number(one)],
  ],
  [
    new RegExp(
      String.raw`(?<!\d)${day}\s*(?:de\s+|of\s+)?([\p{L}]{3,12})\.?,?\s*(?:de\s+|del\s+)?(\d{4})(?!\d)`,
      'u',
    ),
    ([, d, m, y]) => [Number(y), toMonth(m), Number(d)],
  ],
  [
    new RegExp(String.raw`([\p{L}]{3,12})\.?\s+${day},?\s+(\d{4})(?!\d)`, 'u'),
    ([, m, d, y]) => [Number(y), toMonth(m), Number(d)],
  ],
]

export function readDate(given: string, language = ''): WrittenDate | undefined {
  const text = normalise(given)
  const [first] = findDaysOfMonth(text) ?? []
  if (first) return first
  const fullDate = findFullDate(text, language)
  return (fullDate && findEarlierDay(text.slice(0, fullDate.at), fullDate.date)) ?? fullDate?.date
}

/** Returns the end of a date range, else the first date of a text. */
export function readLastDate(given: string, language = ''): WrittenDate | undefined {
  const text = normalise(given)
  const [, last] = findDaysOfMonth(text) ?? []
  if (last) return last
  const first = findFullDate(text, language)
  return (first && findFullDate(text.slice(first.end), language)?.date) ?? first?.date
}

function normalise(given: string): string {
  return given
    .slice(0, maxLength)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
}

const sharedMonth = /([\p{L}]{3,12})\.?\s+(\d{1,2})\s*[-–]\s*(\d{1,2}),?\s+(\d{4})(?!\d)/u

function findDaysOfMonth(text: string): [first: WrittenDate, last: WrittenDate] | undefined {
  const [, name, first, last, year] = sharedMonth.exec(text) ?? []
  const month = toMonth(name)
  if (!isDate(Number(year), month, Number(first)) || !isDate(Number(year), month, Number(last)))
    return undefined
  const base = { year: Number(year), month: month ?? 0 }
  return [
    { ...base, day: Number(first) },
    { ...base, day: Number(last) },
  ]
}

function findFullDate(text: string, language: string) {
  const isMonthFirst = language === '' || /^en(?:$|-(?:us|ca|ph))/i.test(language)
  for (const [pattern, read] of patterns) {
    const found = pattern.exec(text)
    const [year, month, date] = found ? read(found, isMonthFirst) : []
    if (!found || !isDate(year, month, date)) continue
    const end = found.index + found[0].length
    const time = readTime(text.slice(end))
    return { date: { year: year ?? 0, month: month ?? 0, day: date ?? 0, time }, at: found.index, end }
  }
  return undefined
}

const dayAndMonth = new RegExp(String.raw`(?<!\d)${day}\s*(?:de\s+|of\s+)?([\p{L}]{3,12})(?!\p{L})`, 'u')
const monthAndDay = new RegExp(String.raw`(?<!\p{L})([\p{L}]{3,12})\.?\s+${day}(?!\d)`, 'u')

/** Returns the start of a date range, with the year of its end: "2 March – 4 March 2026". */
function findEarlierDay(before: string, { year, month: lastMonth }: WrittenDate): WrittenDate | undefined {
  const [, singleDay] =
    /(?<!\d)(\d{1,2})\.?\s*(?:-|–|al?|to|bis|au|y|e|und|and|tot|til)\s*$/.exec(before) ?? []
  if (singleDay !== undefined && isDate(year, lastMonth, Number(singleDay)))
    return { year, month: lastMonth, day: Number(singleDay) }
  if (!/[-–—]|\b(?:to|bis|until|au|al|a|tot|til)\b/.test(before.slice(-30))) return undefined
  const [, first, second] = dayAndMonth.exec(before) ?? []
  const [, third, fourth] = first === undefined ? (monthAndDay.exec(before) ?? []) : []
  const [month, date] = [toMonth(second ?? third), Number(first ?? fourth)]
  if (!isDate(year, month, date)) return undefined
  const last = second ?? fourth ?? ''
  const time = readTime(before.slice(before.indexOf(last) + last.length))
  return { year, month: month ?? 0, day: date, time }
}

function toMonth(word = ''): number | undefined {
  const at = months.findIndex((pattern) => pattern.test(word))
  return at < 0 ? undefined : at + 1
}

function isDate(year = 0, month = 0, date = 0): boolean {
  return year >= 1000 && year < 3000 && month >= 1 && month <= 12 && date >= 1 && date <= 31
}

const timePattern =
  /^[t,\s]*(?:at|um|a|à|om|kl|klo|alle|as|@|-|–|\||·)?\.?[t,\s]*(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(z|[+-]\d{2}:?\d{2}|[ap]\.?m\.?|(?<=\d)[ap](?!\p{L})|uhr)?/u

function readTime(rest: string): WrittenDate['time'] {
  const [, hours, minutes, seconds, suffix = ''] = timePattern.exec(rest) ?? []
  if (hours === undefined) return undefined
  const meridiem = /^[ap]/.test(suffix) ? suffix[0] : undefined
  const hour = (Number(hours) % (meridiem ? 12 : 24)) + (meridiem === 'p' ? 12 : 0)
  if (Number(minutes) > 59) return undefined
  const zone =
    suffix === 'z' ? 'Z' : /^[+-]/.test(suffix) ? suffix.replace(/^(.\d{2}):?(\d{2})$/, '$1:$2') : ''
  return { hours: hour, minutes: Number(minutes), seconds: Number(seconds ?? 0), zone }
}

const pad = (number: number, size = 2) => String(number).padStart(size, '0')

export function isoDate({ year, month, day: date }: WrittenDate): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}`
}

export function isoMoment(date: WrittenDate): string {
  const { time } = date
  if (!time) return isoDate(date)
  const clockTime = [time.hours, time.minutes, time.seconds].map((part) => pad(part)).join(':')
  return `${isoDate(date)}T${clockTime}${time.zone}`
}
