const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** A moment in the words of the reader's own place. */
export function Moment({ at }: { at: string | number | null | undefined }) {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return <span className="quiet">–</span>
  return (
    <time dateTime={date.toISOString()} title={exact.format(date)}>
      {short.format(date)}
    </time>
  )
}
