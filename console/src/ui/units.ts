const numberFormat = new Intl.NumberFormat('en')
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const timeFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

export const formatCount = (count: number) => numberFormat.format(count)

/** Formats a count with its noun: `1 page`, `2 pages`. */
export const formatQuantity = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** Formats a duration with a unit that fits its size. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Shortens a URL of more than 90 characters by removing its middle. */
export function shortenUrl(url: string): string {
  return url.length <= 90 ? url : `${url.slice(0, 60)}…${url.slice(-25)}`
}

export const formatDateTime = (dateTime: string) => dateTimeFormat.format(new Date(dateTime))

/** Formats the time only for today, and date and time for other days. */
export function formatShortDateTime(dateTime: string): string {
  const date = new Date(dateTime)
  return date.toDateString() === new Date().toDateString()
    ? timeFormat.format(date)
    : dateTimeFormat.format(date)
}

export function formatCharacters(count: number): string {
  if (count < 1000) return `${count} chars`
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k chars`
  return `${(count / 1_000_000).toFixed(1)}M chars`
}
