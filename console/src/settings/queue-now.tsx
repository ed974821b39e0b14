import { Moment } from '../ui/moment.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { useQueueStatus } from './team-queries.ts'

export function QueueNow() {
  const { data, error, isPending } = useQueueStatus()
  return (
    <section className="panel stack" aria-labelledby="queue-now">
      <h2 id="queue-now">Queue</h2>
      {isPending && <Loading label="Loading queue" />}
      {error && <ErrorNotice error={error} />}
      {data && (
        <>
          <p className="figure">
            {data.activeJobsInQueue} <span className="quiet">of {data.maxConcurrency} slots in use</span>
          </p>
          <meter aria-label="Slots in use" min={0} max={data.maxConcurrency} value={data.activeJobsInQueue} />
          <dl className="facts">
            <dt>Waiting</dt>
            <dd>{data.waitingJobsInQueue}</dd>
            <dt>Last success</dt>
            <dd>
              <Moment at={data.mostRecentSuccess} />
            </dd>
          </dl>
        </>
      )}
    </section>
  )
}
