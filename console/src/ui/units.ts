const number = new Intl.NumberFormat('en')
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const short = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const formatCount = (count: number) => number.format(count)

/** A count and its noun: `1 page`, `2 pages`. */
export const counted = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** A length of time in the unit that suits it. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** An address for a heading: long ones without their middle. */
export function shortenUrl(address: string): string {
  return address.length <= 90 ? address : `${address.slice(0, 60)}…${address.slice(-25)}`
}

export const formatMoment = (moment: string) => clock.format(new Date(moment))

/** Today by the hour alone, other days with their date. */
export function formatShortMoment(moment: string): string {
  const date = new Date(moment)
  return date.toDateString() === new Date().toDateString() ? short.format(date) : clock.format(date)
}

export function formatCharacters(count: number): string {
  if (count < 1000) return `${count} chars`
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k chars`
  return `${(count / 1_000_000).toFixed(1)}M chars`
}
