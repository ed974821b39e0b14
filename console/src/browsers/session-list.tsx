import { Moment } from '../ui/moment.tsx'
import type { ListedSession } from './sessions.ts'

const statusLabels = { active: 'open', destroyed: 'ended', error: 'failed' } as const
const badgeClasses = { active: 'good', destroyed: '', error: 'bad' } as const

export function SessionState({ status }: { status: ListedSession['status'] }) {
  return <span className={`badge ${badgeClasses[status]}`}>{statusLabels[status]}</span>
}

/** Open sessions, followed by at most 50 sessions that have ended. */
export function SessionList({
  sessions,
  shown,
  onChoose,
}: {
  sessions: ListedSession[]
  shown: string | undefined
  onChoose: (id: string) => void
}) {
  const open = sessions.filter((session) => session.status === 'active')
  const ended = sessions.filter((session) => session.status !== 'active')
  const listed = [...open, ...ended.slice(0, 50)]
  return (
    <section aria-labelledby="session-list">
      <h2 id="session-list">Sessions</h2>
      <p className="quiet">{open.length === 0 ? 'No open sessions.' : `${open.length} open.`}</p>
      <ul className="sessions">
        {listed.map((session) => (
          <li key={session.id}>
            <button type="button" aria-pressed={session.id === shown} onClick={() => onChoose(session.id)}>
              <span className="row">
                <SessionState status={session.status} /> <code>{session.id.slice(-8)}</code>
              </span>
              <span className="quiet">
                opened <Moment at={session.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {ended.length > 50 && <p className="quiet">… and {ended.length - 50} that ended earlier.</p>}
    </section>
  )
}
