import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { OpenSession } from './open-session.tsx'
import { Profiles } from './profiles.tsx'
import { SessionList } from './session-list.tsx'
import { SessionView } from './session-view.tsx'
import { useSessions } from './sessions.ts'
import './browsers.css'

/** Browser sessions of the team, with the selected session and the profiles. */
export function Browsers() {
  const { session } = useSearch({ from: '/browsers' })
  const navigate = useNavigate()
  const sessions = useSessions()
  const [isOpening, setOpening] = useState(false)
  const show = (id: string) => navigate({ to: '/browsers', search: { session: id } })
  const shown = session ?? sessions.data?.find((candidate) => candidate.status === 'active')?.id
  const actions = (
    <>
      <Button icon="refresh" isBusy={sessions.isFetching} onClick={() => sessions.refetch()}>
        Refresh
      </Button>
      <Button variant="main" icon="add" onClick={() => setOpening(true)}>
        Open session
      </Button>
    </>
  )
  return (
    <Page title="Browser sessions" actions={actions}>
      {isOpening && <OpenSession onClose={() => setOpening(false)} onOpen={show} />}
      <div className="browsers">
        <div className="stack">
          {sessions.isPending && <Loading label="Loading sessions" />}
          {sessions.error && <ErrorNotice error={sessions.error} />}
          {sessions.data && <SessionList sessions={sessions.data} shown={shown} onChoose={show} />}
          <Profiles />
        </div>
        {shown === undefined ? (
          <Empty>
            <p>
              Open a browser on the machine of the service: view it live, control it by hand, or run code in
              it.
            </p>
          </Empty>
        ) : (
          <SessionView key={shown} id={shown} />
        )}
      </div>
    </Page>
  )
}
