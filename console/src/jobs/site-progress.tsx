import { Link } from '@tanstack/react-router'
import type { JobStatus } from '../../../client/src/types.ts'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatCount, formatDateTime, formatDuration, formatQuantity } from '../ui/units.ts'
import { jobKinds } from './kinds.ts'
import { ProgressBar } from './progress-bar.tsx'
import type { SiteJobCounts, SiteKind } from './use-site-job.ts'

interface SiteProgressProps {
  kind: SiteKind
  id: string
  status: JobStatus
  counts: SiteJobCounts
}

/** Page counts, rate and remaining time of a crawl or a batch. */
export function SiteProgress({ kind, id, status, counts }: SiteProgressProps) {
  const { completed, failed, total, rate } = counts
  const isRunning = status.status === 'scraping'
  return (
    <section className="panel stack" aria-label="Progress">
      <div className="row">
        <StateBadge state={status.status} />
        <strong>
          {formatCount(completed)} of {formatQuantity(total, 'page')}
        </strong>
        {failed > 0 && <span className="bad">{formatCount(failed)} failed</span>}
        {rate !== undefined && <span>{rate.toFixed(rate < 10 ? 1 : 0)} pages a second</span>}
        {isRunning && <span>{formatTimeLeft(kind, counts)}</span>}
        {status.duration !== undefined && <span>in {formatDuration(status.duration * 1000)}</span>}
        <span className="quiet">{formatQuantity(status.creditsUsed, 'credit')}</span>
      </div>
      <ProgressBar
        label={`Progress of the ${jobKinds[kind].name.toLowerCase()}`}
        completed={completed}
        failed={failed}
        total={total}
      />
      <p className="quiet details-line">
        Started {formatDateTime(status.createdAt)} · stored until {formatDateTime(status.expiresAt)} ·{' '}
        <Link to="/activity/$id" params={{ id }}>
          View trace
        </Link>
      </p>
      <p className="hidden" role="status">
        {progressAnnouncement(status, counts)}
      </p>
    </section>
  )
}

function formatTimeLeft(kind: string, { remainingMs, total, completed, failed }: SiteJobCounts): string {
  if (total === completed + failed) return 'discovering pages'
  if (remainingMs === undefined) return 'time left unknown'
  // A crawl continues to discover pages, so the time covers only the discovered pages.
  return kind === 'crawl'
    ? `${formatDuration(remainingMs)} left for discovered pages`
    : `${formatDuration(remainingMs)} left`
}

/** Returns the text for screen readers. It changes every ten per cent, not with every page. */
function progressAnnouncement(status: JobStatus, { completed, failed, total }: SiteJobCounts): string {
  if (status.status !== 'scraping') return `Status ${status.status}: ${completed} pages, ${failed} failed.`
  const tenths = total === 0 ? 0 : Math.floor((10 * (completed + failed)) / total)
  return `${tenths * 10} % of pages processed.`
}
