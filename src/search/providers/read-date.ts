const minute = 60_000
const day = 1440 * minute
const units: Record<string, number> = {
  ...{ second: 1000, sec: 1000, minute, min: minute, hour: 60 * minute },
  ...{ day, week: 7 * day, month: 30 * day, year: 365 * day },
}
const ago = /^(\d{1,4}) (second|sec|minute|min|hour|day|week|month|year)s? ago$/i
const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const inWords =
  /^(?:[a-z]{3,9},? )?(?:[a-z]{3,9}\.? \d{1,2}, \d{4}|\d{1,2} [a-z]{3,9}\.? \d{4})(?: .{1,30})?$/i
const zone = /(?: (?:GMT|UTC|Z|[ECMP][SD]T)| ?[+-]\d{2}:?\d{2})$/i

/**
 * A date as search services write it: ISO 8601, `Jan 5, 2025`, as in mail, or `3 hours ago`. Other texts are none:
 * `Date.parse` finds a year in most of them. Without a time zone it is UTC, not that of this machine.
 */
export function readDate(text: string | null | undefined, now: number): number | undefined {
  const trimmed = (text ?? '').slice(0, 60).trim()
  const [, count = '', unit = ''] = ago.exec(trimmed) ?? []
  if (unit !== '') return now - Number(count) * (units[unit.toLowerCase()] ?? 0)
  const isoParts = iso.exec(trimmed)
  if (isoParts) {
    const needsZone = trimmed.length > 10 && isoParts[1] === undefined
    return parsed(`${trimmed.replace(' ', 'T')}${needsZone ? 'Z' : ''}`)
  }
  if (!inWords.test(trimmed)) return undefined
  return parsed(zone.test(trimmed) ? trimmed : `${trimmed} UTC`)
}

function parsed(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
