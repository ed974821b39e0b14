import { Moment } from '../ui/moment.tsx'
import type { ListedSession } from './sessions.ts'

const words = { active: 'open', destroyed: 'ended', error: 'failed' } as const
const looks = { active: 'good', destroyed: '', error: 'bad' } as const

export function SessionState({ status }: { status: ListedSession['status'] }) {
  return <span className={`badge ${looks[status]}`}>{words[status]}</span>
}

/** Open ones first; of the others the last fifty. */
export function SessionList({
  sessions,
  shown,
  onChoose,
}: {
  sessions: ListedSession[]
  shown: string | undefined
  onChoose: (id: string) => void
}) {
  const open = sessions.filter((one) => one.status === 'active')
  const ended = sessions.filter((one) => one.status !== 'active')
  const listed = [...open, ...ended.slice(0, 50)]
  return (
    <section aria-labelledby="session-list">
      <h2 id="session-list">Sessions</h2>
      <p className="quiet">{open.length === 0 ? 'No open sessions.' : `${open.length} open.`}</p>
      <ul className="sessions">
        {listed.map((one) => (
          <li key={one.id}>
            <button type="button" aria-pressed={one.id === shown} onClick={() => onChoose(one.id)}>
              <span className="row">
                <SessionState status={one.status} /> <code>{one.id.slice(-8)}</code>
              </span>
              <span className="quiet">
                opened <Moment at={one.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {ended.length > 50 && <p className="quiet">… and {ended.length - 50} that ended earlier.</p>}
    </section>
  )
}
