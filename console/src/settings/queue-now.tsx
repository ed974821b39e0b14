import { Moment } from '../ui/moment.tsx'
import { Failure } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { useQueueStatus } from './team-queries.ts'

export function QueueNow() {
  const { data, error, isPending } = useQueueStatus()
  return (
    <section className="panel stack" aria-labelledby="queue-now">
      <h2 id="queue-now">Now</h2>
      {isPending && <Loading what="Reading the queue" />}
      {error && <Failure error={error} />}
      {data && (
        <>
          <p className="figure">
            {data.activeJobsInQueue} <span className="quiet">of {data.maxConcurrency} places taken</span>
          </p>
          <meter aria-label="Places taken" min={0} max={data.maxConcurrency} value={data.activeJobsInQueue} />
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
