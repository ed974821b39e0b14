import { Link } from '@tanstack/react-router'
import { StateBadge } from '../ui/state-badge.tsx'
import { atShort, counted, inNumbers } from '../ui/units.ts'
import { workKinds } from './kinds.ts'
import { ProgressBar } from './progress-bar.tsx'
import { isOver, type WorkItem } from './use-work.ts'

export function WorkList({ items }: { items: WorkItem[] }) {
  return (
    <ul className="work-list panel">
      {items.map((item) => (
        <li key={item.id}>
          <WorkRow item={item} />
        </li>
      ))}
    </ul>
  )
}

function WorkRow({ item }: { item: WorkItem }) {
  const { id, kind, target, state, createdAt, progress } = item
  return (
    <Link className="work-row" to="/work/$kind/$id" params={{ kind, id }}>
      <span className="work-kind">{workKinds[kind].name}</span>
      <span className="work-target">{target ?? 'not kept'}</span>
      <StateBadge state={state} />
      <time className="quiet" dateTime={createdAt}>
        {atShort(createdAt)}
      </time>
      {progress && !isOver(state) && (
        <span className="work-progress">
          {/* Only a batch knows from the start how many pages it has. */}
          {kind === 'batch' && (
            <ProgressBar
              label={`Progress of ${workKinds[kind].name} ${target ?? ''}`}
              completed={progress.completed}
              failed={progress.failed}
              total={progress.completed + progress.failed + progress.running + progress.queued}
            />
          )}
          <span className="quiet">
            {counted(progress.completed, 'page')} so far
            {progress.failed > 0 && `, ${inNumbers(progress.failed)} failed`}
            {progress.running > 0 && `, ${inNumbers(progress.running)} being fetched`}
          </span>
        </span>
      )}
    </Link>
  )
}
