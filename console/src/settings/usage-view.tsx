import { useState } from 'react'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { listKinds, type UsageDay, useUsage } from './usage.ts'
import { UsageChart } from './usage-chart.tsx'

const dayRanges = [7, 30, 90]

export function UsageView() {
  const [days, setDays] = useState(30)
  const { data, error, isPending } = useUsage(days)
  return (
    <section className="panel stack" aria-labelledby="usage">
      <div className="page-head panel-head">
        <h2 id="usage">Credits by day</h2>
        <label className="row">
          Days
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {dayRanges.map((dayRange) => (
              <option key={dayRange}>{dayRange}</option>
            ))}
          </select>
        </label>
      </div>
      {isPending && <Loading label="Loading usage" />}
      {error && <ErrorNotice error={error} />}
      {data && <Days days={data} />}
    </section>
  )
}

function Days({ days }: { days: UsageDay[] }) {
  const kinds = listKinds(days)
  if (kinds.length === 0) return <p className="quiet">No usage in this period.</p>
  return (
    <>
      <UsageChart days={days} kinds={kinds} />
      <details>
        <summary>Show as table</summary>
        <UsageTable days={days.filter((day) => day.credits !== 0 || (day.calls ?? 0) > 0)} kinds={kinds} />
      </details>
    </>
  )
}

function UsageTable({ days, kinds }: { days: UsageDay[]; kinds: string[] }) {
  return (
    <TableFrame name="Credits by day and kind">
      <caption className="hidden">Credits by day (UTC) and kind of job</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Credits</th>
          {kinds.map((kind) => (
            <th scope="col" key={kind}>
              {kind}
            </th>
          ))}
          <th scope="col">Calls</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th scope="row">{day.date}</th>
            <td>{day.credits}</td>
            {kinds.map((kind) => (
              <td key={kind}>{day.creditsByKind[kind] ?? 0}</td>
            ))}
            <td>{formatCalls(day)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

function formatCalls({ calls, callsByState }: UsageDay): string {
  const states = Object.entries(callsByState).map(([state, count]) => `${count} ${state}`)
  return states.length > 0 ? `${calls} (${states.join(', ')})` : String(calls)
}
