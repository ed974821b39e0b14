import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Account } from './account.tsx'
import { CapabilityList } from './capability-list.tsx'
import { HealthParts } from './health-parts.tsx'
import { Operator } from './operator/operator.tsx'
import { QueueNow } from './queue-now.tsx'
import { UsageView } from './usage-view.tsx'
import { useLiveQueue } from './use-live-queue.ts'
import './settings.css'

/** Account, usage, health and capabilities; teams and keys for operators. */
export function Settings() {
  const queries = useQueryClient()
  useLiveQueue()
  const refresh = () => queries.invalidateQueries()
  return (
    <Page
      title="Settings"
      actions={
        <Button icon="refresh" onClick={refresh}>
          Refresh
        </Button>
      }
    >
      <div className="stack settings">
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
