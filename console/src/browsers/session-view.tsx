import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Copy } from '../ui/copy.tsx'
import { Moment } from '../ui/moment.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { AddressBar } from './address-bar.tsx'
import { LiveView } from './live-view.tsx'
import { RunCode } from './run-code.tsx'
import { SessionState } from './session-list.tsx'
import { type Session, useEndSession, useSession } from './sessions.ts'

export function SessionView({ id }: { id: string }) {
  const session = useSession(id)
  const end = useEndSession(id)
  if (session.isPending) return <Loading label="Loading session" />
  if (session.error) return <ErrorNotice error={session.error} />
  const isOpen = session.data.status === 'active'
  return (
    <section className="stack" aria-labelledby="session-heading">
      <div className="page-head session-head">
        <div>
          <h2 id="session-heading" className="row">
            Session <code>{id.slice(-8)}</code> <SessionState status={session.data.status} />
          </h2>
          {isOpen && (
            <span className="quiet">
              ends by <Moment at={session.data.expiresAt} />
            </span>
          )}
        </div>
        {isOpen && (
          <div className="row">
            <Copy text={session.data.cdpUrl} name="Copy DevTools URL" />
            <ConfirmButton name="End session" icon="stop" title="End this session?" onConfirm={end}>
              <p>Its tabs are closed. Cookies and storage are lost unless the session has a profile.</p>
            </ConfirmButton>
          </div>
        )}
      </div>
      {isOpen ? <ActiveSession session={session.data} /> : <EndedSession session={session.data} />}
    </section>
  )
}

function ActiveSession({ session }: { session: Session }) {
  return (
    <>
      <AddressBar id={session.id} />
      <LiveView session={session} />
      <RunCode id={session.id} />
    </>
  )
}

function EndedSession({ session }: { session: Session }) {
  const { sessionDurationMs: durationMs, creditsBilled: credits, error } = session
  return (
    <>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <dl className="facts">
        <dt>Opened</dt>
        <dd>
          <Moment at={session.createdAt} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Moment at={session.lastActivity} />
        </dd>
        <dt>Duration</dt>
        <dd>{durationMs === undefined ? '–' : `${Math.round(durationMs / 1000)} s`}</dd>
        <dt>Credits</dt>
        <dd>{credits ?? '–'}</dd>
      </dl>
    </>
  )
}
