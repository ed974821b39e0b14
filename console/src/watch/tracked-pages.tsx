import { useDeferredValue, useState } from 'react'
import type { TrackedPage } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading } from '../ui/page.tsx'
import { useTrackedPages } from './tracked.ts'
import { TrackedPageView } from './tracked-page-view.tsx'

export function TrackedPages() {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useTrackedPages(search)
  const [chosen, setChosen] = useState<TrackedPage>()
  const pages = data?.pages.flatMap((page) => page.data)
  if (error) return <Failure error={error} />
  return (
    <div className="watch">
      <section className="stack" aria-labelledby="tracked">
        <h2 id="tracked">Pages</h2>
        <input
          type="search"
          aria-label="Search in addresses"
          placeholder="Search in addresses"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {isPending && <Loading what="Reading the pages" />}
        {pages?.length === 0 && (
          <Empty>
            {search === ''
              ? 'No page is tracked. Scrape one with the format changeTracking.'
              : 'No address has this in it.'}
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
                  {page.versions} {page.versions === 1 ? 'version' : 'versions'}, last{' '}
                  <Moment at={page.lastSeen} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show more
          </Button>
        )}
      </section>
      {chosen ? (
        <TrackedPageView key={chosen.id} page={chosen} />
      ) : (
        <Empty>Choose a page to see what changed in it.</Empty>
      )}
    </div>
  )
}

function ChangeStatus({ status }: { status: string }) {
  const look = status === 'changed' ? 'busy' : status === 'removed' ? 'bad' : ''
  return <span className={`badge ${look}`}>{status}</span>
}
