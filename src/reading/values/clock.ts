const written = /(?:t|\b)([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?\s*([ap]\.?m\b\.?|uhr\b|h\b)?/i
const hourOnly = /\b(1[0-2]|[1-9])\s*([ap])\.?m\b\.?|\b([01]?\d|2[0-3])\s*uhr\b/i

/** The first time of day in a text, as HH:MM of 24 hours. */
export function readClock(given: string): string | undefined {
  // Digits of a date that are parted by points are no time.
  const text = given.slice(0, 200).replace(/\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}/g, ' ')
  const [, hours, minutes, half] = written.exec(text) ?? []
  if (hours !== undefined) return shown(Number(hours), Number(minutes), half)
  const [, twelve, part, hour] = hourOnly.exec(text) ?? []
  if (twelve !== undefined) return shown(Number(twelve), 0, part)
  return hour === undefined ? undefined : shown(Number(hour), 0, undefined)
}

function shown(hours: number, minutes: number, half: string | undefined): string {
  const isHalf = half !== undefined && /^[ap]/i.test(half)
  const hour = isHalf ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours
  return `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
