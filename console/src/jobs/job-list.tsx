import { Link } from '@tanstack/react-router'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatCount, formatQuantity, formatShortDateTime } from '../ui/units.ts'
import { jobKinds } from './kinds.ts'
import { ProgressBar } from './progress-bar.tsx'
import { isEnded, type JobItem } from './use-jobs.ts'

export function JobList({ items }: { items: JobItem[] }) {
  return (
    <ul className="job-list panel">
      {items.map((item) => (
        <li key={item.id}>
          <JobRow item={item} />
        </li>
      ))}
    </ul>
  )
}

function JobRow({ item }: { item: JobItem }) {
  const { id, kind, target, state, createdAt, progress } = item
  return (
    <Link className="job-row" to="/jobs/$kind/$id" params={{ kind, id }}>
      <span className="job-kind">{jobKinds[kind].name}</span>
      <span className="job-target">{target ?? 'not stored'}</span>
      <StateBadge state={state} />
      <time className="quiet" dateTime={createdAt}>
        {formatShortDateTime(createdAt)}
      </time>
      {progress && !isEnded(state) && (
        <span className="job-progress">
          {/* The total is known only for a batch: a crawl is still discovering pages. */}
          {kind === 'batch' && (
            <ProgressBar
              label={`Progress of ${jobKinds[kind].name} ${target ?? ''}`}
              completed={progress.completed}
              failed={progress.failed}
              total={progress.completed + progress.failed + progress.running + progress.queued}
            />
          )}
          <span className="quiet">
            {formatQuantity(progress.completed, 'page')} so far
            {progress.failed > 0 && `, ${formatCount(progress.failed)} failed`}
            {progress.running > 0 && `, ${formatCount(progress.running)} being fetched`}
          </span>
        </span>
      )}
    </Link>
  )
}
