const shortFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** Date and time in the locale and time zone of the user. */
export function Moment({ at }: { at: string | number | null | undefined }) {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return <span className="quiet">–</span>
  return (
    <time dateTime={date.toISOString()} title={exactFormat.format(date)}>
      {shortFormat.format(date)}
    </time>
  )
}
