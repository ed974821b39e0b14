import { Link } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { JobList } from './job-list.tsx'
import { isEnded, useJobs } from './use-jobs.ts'
import '../ui/lists.css'
import './jobs.css'

/** Crawls, batches, extracts and agents: running jobs, and those that ended in the last 24 hours. */
export function Jobs() {
  const { items, error, isPending, isFetching, refetch } = useJobs()
  const running = items.filter(({ state }) => !isEnded(state))
  const ended = items.filter(({ state }) => isEnded(state))
  const refresh = (
    <Button icon="refresh" isBusy={isFetching} onClick={() => refetch()}>
      Refresh
    </Button>
  )
  return (
    <Page title="Jobs" actions={refresh}>
      {error && <ErrorNotice error={error} />}
      {isPending && <Loading label="Loading jobs" />}
      {!isPending && !error && (
        <div className="stack">
          <section className="stack" aria-labelledby="running">
            <h2 id="running">Running</h2>
            {running.length > 0 ? <JobList items={running} /> : <NoRunningJobs />}
          </section>
          <section className="stack" aria-labelledby="ended">
            <h2 id="ended">Ended in the last 24 hours</h2>
            {ended.length > 0 ? (
              <JobList items={ended} />
            ) : (
              <Empty>No jobs ended in the last 24 hours.</Empty>
            )}
          </section>
        </div>
      )}
    </Page>
  )
}

function NoRunningJobs() {
  return (
    <Empty>
      <p>No running jobs.</p>
      <Link to="/playground/$call" params={{ call: 'crawl' }}>
        Start a crawl
      </Link>
    </Empty>
  )
}
