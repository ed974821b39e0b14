import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useEvents } from '../api/events.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Account } from './account.tsx'
import { CapabilityList } from './capability-list.tsx'
import { HealthParts } from './health-parts.tsx'
import { Operator } from './operator/operator.tsx'
import { QueueNow } from './queue-now.tsx'
import { queueKey } from './team-queries.ts'
import { UsageView } from './usage-view.tsx'
import './run.css'

/** What the team has and uses, what this installation can do, and for operators whom it serves. */
export function Run() {
  const queries = useQueryClient()
  // Reading the queue again while it is being read would only ask the same twice.
  const onEvent = useCallback(() => {
    void queries.invalidateQueries({ queryKey: queueKey }, { cancelRefetch: false })
  }, [queries])
  useEvents('/v2/team/events', onEvent)
  const refresh = () => queries.invalidateQueries()
  return (
    <Page
      title="Run it"
      actions={
        <Button icon="again" onClick={refresh}>
          Refresh
        </Button>
      }
    >
      <div className="stack run">
        <div className="tiles">
          <Account />
          <QueueNow />
          <HealthParts />
        </div>
        <UsageView />
        <Operator />
        <CapabilityList />
      </div>
    </Page>
  )
}
