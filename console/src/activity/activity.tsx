import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { formatQuantity } from '../ui/units.ts'
import { type ActivityFilters, CallFilters } from './call-filters.tsx'
import { CallTable } from './call-table.tsx'
import { useCalls } from './use-calls.ts'
import '../ui/lists.css'
import './activity.css'

/** Calls of the team in the last 24 hours. */
export function Activity() {
  const [filters, setFilters] = useState<ActivityFilters>({ endpoint: '', state: '', text: '' })
  const { calls, newCount, error, isPending, isFetching, hasMore, loadMore, refresh } = useCalls(filters)
  const searchText = filters.text.trim().toLowerCase()
  const shown =
    searchText === ''
      ? calls
      : calls.filter(({ id, target }) => `${target} ${id}`.toLowerCase().includes(searchText))
  const isFiltered = searchText !== '' || filters.endpoint !== '' || filters.state !== ''
  const actions = (
    <Button icon="refresh" isBusy={isFetching} onClick={refresh}>
      {newCount > 0 ? `Show ${formatQuantity(newCount, 'new call')}` : 'Refresh'}
    </Button>
  )
  return (
    <Page title="Activity" actions={actions}>
      <div className="stack">
        <CallFilters filters={filters} onChange={setFilters} />
        {error && <ErrorNotice error={error} />}
        {isPending && <Loading />}
        {!isPending && shown.length === 0 && (
          <Empty>{isFiltered ? 'No matching calls.' : 'No calls in the last 24 hours.'}</Empty>
        )}
        {shown.length > 0 && <CallTable calls={shown} />}
        <div className="row">
          {hasMore && (
            <Button icon="more" isBusy={isFetching} onClick={loadMore}>
              Load more
            </Button>
          )}
          <span className="quiet" role="status">
            {searchText === ''
              ? `${formatQuantity(calls.length, 'call')} loaded`
              : `${shown.length} of ${formatQuantity(calls.length, 'loaded call')} shown`}
          </span>
        </div>
      </div>
    </Page>
  )
}
