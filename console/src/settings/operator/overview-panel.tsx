import { ErrorNotice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/page.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { HealthList } from '../health-parts.tsx'
import { type Overview, useOverview } from './queries.ts'

export function OverviewPanel() {
  const { data, error, isPending } = useOverview()
  return (
    <section className="panel stack" aria-labelledby="overview">
      <h2 id="overview">Installation</h2>
      {isPending && <Loading label="Loading overview" />}
      {error && <ErrorNotice error={error} />}
      {data && <Figures overview={data} />}
      {data && data.teams.length > 0 && <BusyTeams teams={data.teams} />}
    </section>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { queue, storage } = overview
  const figures = [
    { name: 'Running', value: formatCounts(queue.running) },
    { name: 'Queued', value: formatCounts(queue.queued) },
    { name: 'On hold', value: formatCounts(queue.held) },
    { name: 'Slots in use', value: overview.slotsTaken },
    { name: 'Database', value: formatBytes(storage.databaseBytes) },
    { name: 'Stored files', value: formatBytes(storage.blobBytes) },
    { name: 'Free disk space', value: formatBytes(storage.freeBytes) },
    { name: 'Uptime', value: formatUptime(overview.uptimeSeconds) },
  ]
  return (
    <>
      <dl className="figures">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!overview.health.isReady && <HealthList parts={overview.health.parts} />}
    </>
  )
}

function BusyTeams({ teams }: { teams: Overview['teams'] }) {
  return (
    <TableFrame name="Busiest teams">
      <thead>
        <tr>
          <th scope="col">Busiest teams</th>
          <th scope="col">Running</th>
          <th scope="col">Concurrency</th>
        </tr>
      </thead>
      <tbody>
        {teams.map((team) => (
          <tr key={team.id}>
            <th scope="row">{team.name}</th>
            <td>{team.running}</td>
            <td>{team.concurrency}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

function formatCounts(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length > 0 ? parts.join(', ') : 'none'
}

function formatBytes(bytes: number | null): string {
  if (bytes === null) return 'unknown'
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const unitIndex = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** unitIndex).toFixed(unitIndex === 0 ? 0 : 1)} ${units[unitIndex]}`
}

function formatUptime(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(seconds / 60)} min`
}
