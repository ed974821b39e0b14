import { useDeferredValue, useState } from 'react'
import type { TrackedPage } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { TrackedPageView } from './tracked-page-view.tsx'
import { useTrackedPages } from './tracked-queries.ts'
import './tracked-pages.css'

/** Pages with a change history: the list, and the versions of the chosen page. */
export function TrackedPages() {
  return (
    <Page title="Tracked pages">
      <PageListAndVersions />
    </Page>
  )
}

function PageListAndVersions() {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrackedPages(search)
  const [chosen, setChosen] = useState<TrackedPage>()
  const pages = data?.pages.flatMap((page) => page.data)
  if (error) return <ErrorNotice error={error} />
  return (
    <div className="two-panes">
      <section className="stack" aria-labelledby="tracked">
        <h2 id="tracked">Pages</h2>
        <input
          type="search"
          aria-label="Search URLs"
          placeholder="Search URLs"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {isPending && <Loading label="Loading tracked pages" />}
        {pages?.length === 0 && (
          <Empty>
            {search === ''
              ? 'No tracked pages yet. Scrape a page with the format changeTracking.'
              : 'No URL matches.'}
          </Empty>
        )}
        <ul className="tracked">
          {pages?.map((page) => (
            <li key={page.id}>
              <button type="button" aria-pressed={page.id === chosen?.id} onClick={() => setChosen(page)}>
                <span className="tracked-url">{page.url}</span>
                <span className="row quiet">
                  {page.changeStatus && <ChangeStatus status={page.changeStatus} />}
                  {page.tag && <span className="badge">{page.tag}</span>}
                  {page.isRedacted && <span className="badge">redacted</span>}
                  {page.versions} {page.versions === 1 ? 'version' : 'versions'}, last seen{' '}
                  <Moment at={page.lastSeen} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Load more
          </Button>
        )}
      </section>
      {chosen ? (
        <TrackedPageView key={chosen.id} page={chosen} />
      ) : (
        <Empty>Select a page to see its changes.</Empty>
      )}
    </div>
  )
}

function ChangeStatus({ status }: { status: string }) {
  const badgeClass = status === 'changed' ? 'busy' : status === 'removed' ? 'bad' : ''
  return <span className={`badge ${badgeClass}`}>{status}</span>
}
