export interface TimeRange {
  from?: number | undefined
  to?: number | undefined
  isNewestFirst: boolean
}

const dayMs = 86_400_000
const spans: Record<string, number> = { h: dayMs / 24, d: dayMs, w: 7 * dayMs, m: 31 * dayMs, y: 366 * dayMs }
const datePattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** Parses `tbs`: parts of the form `name:value`. Throws a `RangeError` with a message for the caller. */
export function parseTimeRange(tbs: string, now: number): TimeRange {
  const range: TimeRange = { isNewestFirst: false }
  let isCustom = false
  const custom: { from?: number; to?: number } = {}
  for (const part of tbs.split(',').map((text) => text.trim())) {
    if (part === '') continue
    const colon = part.indexOf(':')
    const [name, value] = [part.slice(0, Math.max(colon, 0)), part.slice(colon + 1)]
    if (name === 'qdr') range.from = now - parseSpan(value)
    else if (name === 'cdr') isCustom = parseSwitch(part, value)
    else if (name === 'cd_min') custom.from = parseDate(part, value)
    else if (name === 'cd_max') custom.to = parseDate(part, value) + dayMs - 1
    else if (name === 'sbd') range.isNewestFirst = parseSwitch(part, value)
    else throw new RangeError(`${part} is not one of qdr, cdr, cd_min, cd_max and sbd`)
  }
  if (!isCustom && (custom.from ?? custom.to) !== undefined)
    throw new RangeError('cd_min and cd_max need cdr:1')
  const { from = custom.from, to = custom.to } = range
  if (from !== undefined && to !== undefined && from > to) throw new RangeError('cd_min is later than cd_max')
  return { from, to, isNewestFirst: range.isNewestFirst }
}

function parseSpan(value: string): number {
  const [, unit = '', count = '1'] = /^([hdwmy])(\d{1,4})?$/.exec(value) ?? []
  const span = spans[unit]
  if (span === undefined || Number(count) === 0)
    throw new RangeError(`qdr:${value} is not qdr:h, d, w, m or y, with or without a number: qdr:d3`)
  return span * Number(count)
}

function parseSwitch(part: string, value: string): boolean {
  if (value !== '0' && value !== '1') throw new RangeError(`${part} is neither 0 nor 1`)
  return value === '1'
}

function parseDate(part: string, value: string): number {
  const [, month = '', date = '', year = ''] = datePattern.exec(value) ?? []
  const time = Date.UTC(Number(year), Number(month) - 1, Number(date))
  const isValid = new Date(time).getUTCMonth() === Number(month) - 1 && Number(date) > 0
  if (year === '' || !isValid) throw new RangeError(`${part} is not a date of the form MM/DD/YYYY`)
  return time
}
