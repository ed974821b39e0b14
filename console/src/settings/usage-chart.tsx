import { getAxisMaximum, type UsageDay } from './usage.ts'

/** Number of colours. Further kinds reuse them. */
const colourCount = 8

/** Bar chart of credits per day, stacked by kind. The table below shows the same numbers. */
export function UsageChart({ days, kinds }: { days: UsageDay[]; kinds: string[] }) {
  const stacks = days.map((day) => buildStack(day, kinds))
  const top = getAxisMaximum(Math.max(...stacks.map((stack) => stack.height)))
  const total = days.reduce((sum, day) => sum + day.credits, 0)
  const name = `${total} credits in ${days.length} days, by day and kind`
  return (
    <figure className="chart">
      <div className="chart-scale quiet" aria-hidden="true">
        <span>{top}</span>
        <span>{top / 2}</span>
        <span>0</span>
      </div>
      <svg role="img" aria-label={name} viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none">
        <title>{name}</title>
        <line className="chart-line" x1="0" x2={days.length} y1="50" y2="50" />
        {stacks.map((stack, index) => (
          <Bar key={stack.date} stack={stack} x={index} top={top} />
        ))}
      </svg>
      <div className="chart-days quiet" aria-hidden="true">
        <span>{days[0]?.date}</span>
        <span>{days.at(-1)?.date}</span>
      </div>
      <figcaption>
        <ul className="legend">
          {kinds.map((kind, index) => (
            <li key={kind}>
              <span className={`swatch series-${index % colourCount}`} aria-hidden="true" />
              {kind}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

interface Stack {
  date: string
  height: number
  parts: { kind: string; colour: number; credits: number; from: number }[]
}

/** Stacks the kinds of one day. Refunds (negative credits) appear only in the table. */
function buildStack(day: UsageDay, kinds: string[]): Stack {
  const parts: Stack['parts'] = []
  let height = 0
  for (const [index, kind] of kinds.entries()) {
    const credits = day.creditsByKind[kind] ?? 0
    if (credits <= 0) continue
    parts.push({ kind, colour: index % colourCount, credits, from: height })
    height += credits
  }
  return { date: day.date, height, parts }
}

function Bar({ stack, x, top }: { stack: Stack; x: number; top: number }) {
  const scale = 100 / top
  const tooltip = stack.parts.map(({ kind, credits }) => `${kind}: ${credits}`).join('\n')
  return (
    <g>
      <title>{`${stack.date}\n${tooltip || 'no credits'}`}</title>
      {/* Transparent, so that the tooltip covers the full height of the column. */}
      <rect x={x} y={0} width={1} height={100} fill="transparent" />
      {stack.parts.map(({ kind, colour, credits, from }) => (
        <rect
          key={kind}
          className={`series-${colour}`}
          x={x + 0.12}
          width={0.76}
          y={100 - (from + credits) * scale}
          height={credits * scale}
        />
      ))}
    </g>
  )
}
