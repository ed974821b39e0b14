import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { counted } from '../ui/units.ts'
import { type ActivityFilters, CallFilters } from './call-filters.tsx'
import { CallTable } from './call-table.tsx'
import { useCalls } from './use-calls.ts'
import '../ui/lists.css'
import './activity.css'

/** Calls of the team in the last 24 hours. */
export function Activity() {
  const [wanted, setWanted] = useState<ActivityFilters>({ endpoint: '', state: '', text: '' })
  const { calls, fresh, error, isPending, isFetching, hasMore, more, again } = useCalls(wanted)
  const text = wanted.text.trim().toLowerCase()
  const shown =
    text === '' ? calls : calls.filter(({ id, target }) => `${target} ${id}`.toLowerCase().includes(text))
  const isNarrowed = text !== '' || wanted.endpoint !== '' || wanted.state !== ''
  const actions = (
    <Button icon="again" isBusy={isFetching} onClick={again}>
      {fresh > 0 ? `Show ${counted(fresh, 'new call')}` : 'Refresh'}
    </Button>
  )
  return (
    <Page title="Activity" actions={actions}>
      <div className="stack">
        <CallFilters wanted={wanted} onChange={setWanted} />
        {error && <Failure error={error} />}
        {isPending && <Loading />}
        {!isPending && shown.length === 0 && (
          <Empty>{isNarrowed ? 'No matching calls.' : 'No calls in the last 24 hours.'}</Empty>
        )}
        {shown.length > 0 && <CallTable calls={shown} />}
        <div className="row">
          {hasMore && (
            <Button icon="more" isBusy={isFetching} onClick={more}>
              Load more
            </Button>
          )}
          <span className="quiet" role="status">
            {text === ''
              ? `${counted(calls.length, 'call')} loaded`
              : `${shown.length} of the ${counted(calls.length, 'call')} loaded`}
          </span>
        </div>
      </div>
    </Page>
  )
}
