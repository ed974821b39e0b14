import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { type DeliveryState, useDeliveries } from './deliveries.ts'
import { DeliveryItem } from './delivery-item.tsx'
import { TestEventForm } from './test-event-form.tsx'
import './webhooks.css'

const states: { value: DeliveryState | ''; name: string }[] = [
  { value: '', name: 'Any state' },
  { value: 'waiting', name: 'Waiting' },
  { value: 'delivered', name: 'Delivered' },
  { value: 'failed', name: 'Failed' },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Webhook deliveries, and a form that sends a test event. */
export function Webhooks() {
  return (
    <Page title="Webhooks">
      <div className="two-panes">
        <TestEventForm />
        <DeliveryList />
      </div>
    </Page>
  )
}

function DeliveryList() {
  const [state, setState] = useState<DeliveryState | ''>('')
  const [jobIdText, setJobIdText] = useState('')
  const jobId = uuid.test(jobIdText.trim()) ? jobIdText.trim() : undefined
  const { data, error, isPending, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useDeliveries({ state: state === '' ? undefined : state, jobId })
  const deliveries = data?.pages.flatMap((page) => page.data)
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="page-head delivery-head">
        <h2 id="deliveries">Deliveries</h2>
        <Button icon="refresh" isBusy={isFetching} onClick={() => refetch()}>
          Refresh
        </Button>
      </div>
      <Filters
        {...{ state, jobIdText }}
        isJobIdInvalid={jobIdText.trim() !== '' && jobId === undefined}
        onState={setState}
        onJobId={setJobIdText}
      />
      {isPending && <Loading label="Loading deliveries" />}
      {error && <ErrorNotice error={error} />}
      {deliveries?.length === 0 && (
        <Empty>No deliveries. Set a webhook on a crawl or batch, or send a test event.</Empty>
      )}
      <ul className="deliveries">
        {deliveries?.map((delivery) => (
          <DeliveryItem key={delivery.webhookId} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  )
}

interface FilterProps {
  state: DeliveryState | ''
  jobIdText: string
  isJobIdInvalid: boolean
  onState: (state: DeliveryState | '') => void
  onJobId: (jobIdText: string) => void
}

function Filters({ state, jobIdText, isJobIdInvalid, onState, onJobId }: FilterProps) {
  return (
    <div className="filters">
      <select
        aria-label="State"
        value={state}
        onChange={(event) => onState(event.target.value as DeliveryState | '')}
      >
        {states.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <input
        aria-label="Job id"
        aria-invalid={isJobIdInvalid}
        placeholder="Job id"
        value={jobIdText}
        onChange={(event) => onJobId(event.target.value)}
      />
      {isJobIdInvalid && <span className="quiet">Not a job id. Deliveries of all jobs are shown.</span>}
    </div>
  )
}
