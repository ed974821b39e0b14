import { Link } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { isOver, useWork } from './use-work.ts'
import { WorkList } from './work-list.tsx'
import '../ui/lists.css'
import './work.css'

/** What runs and what ran: crawls, batches, extracts and agents. */
export function Work() {
  const { items, error, isPending, isFetching, refetch } = useWork()
  const running = items.filter(({ state }) => !isOver(state))
  const ended = items.filter(({ state }) => isOver(state))
  const again = (
    <Button icon="again" isBusy={isFetching} onClick={() => refetch()}>
      Read again
    </Button>
  )
  return (
    <Page title="Work" actions={again}>
      {error && <Failure error={error} />}
      {isPending && <Loading />}
      {!isPending && !error && (
        <div className="stack">
          <section className="stack" aria-labelledby="running">
            <h2 id="running">Under way</h2>
            {running.length > 0 ? <WorkList items={running} /> : <NothingRuns />}
          </section>
          <section className="stack" aria-labelledby="ended">
            <h2 id="ended">Ended in the last 24 hours</h2>
            {ended.length > 0 ? <WorkList items={ended} /> : <Empty>Nothing yet.</Empty>}
          </section>
        </div>
      )}
    </Page>
  )
}

function NothingRuns() {
  return (
    <Empty>
      <p>Nothing is under way.</p>
      <Link to="/playground/$call" params={{ call: 'crawl' }}>
        Start a crawl
      </Link>
    </Empty>
  )
}
