import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiPath } from '../../../client/src/api-path.ts'
import type { GetJobsTraceResponse, JobTrace } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Loading, Page } from '../ui/page.tsx'
import { shortenUrl } from '../ui/units.ts'
import { AskSupport } from './ask-support.tsx'
import { BlockInspector } from './block-inspector.tsx'
import { kindName } from './call-filters.tsx'
import { CoverageBar } from './coverage-bar.tsx'
import { Deliveries } from './deliveries.tsx'
import { JobDocument } from './job-document.tsx'
import { JobHead } from './job-head.tsx'
import { hasLittleContent } from './little-content.ts'
import { ParentPages } from './parent-pages.tsx'
import { Timeline } from './timeline.tsx'
import { useDocument } from './use-document.ts'
import '../ui/lists.css'
import './activity.css'

const pollIntervalMs = 2000

/** The page of one job: error, timeline, document and diagnosis. */
export function Job() {
  const { id } = useParams({ from: '/activity/$id' })
  const { data, error } = useQuery({
    queryKey: ['trace', id],
    queryFn: async () =>
      (await request<GetJobsTraceResponse>('GET', apiPath('/v2/jobs/{id}/trace', { id }))).data,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollIntervalMs : false),
  })
  const title = data ? `${kindName(data.kind)}${data.target ? ` of ${shortenUrl(data.target)}` : ''}` : 'Job'
  return (
    <Page title={title}>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Loading />}
      {data && <JobDetails key={id} trace={data} />}
    </Page>
  )
}

const isRunning = ({ finishedAt }: JobTrace) => finishedAt === null

function JobDetails({ trace }: { trace: JobTrace }) {
  const document = useDocument(trace)
  const readStep = trace.steps.findLast((step) => step.step === 'read')
  const warnings = trace.steps.flatMap((step) => (step.step === 'write' ? step.warnings : []))
  const isPage = trace.kind === 'scrape' && trace.target !== null
  const canAskSupport = trace.state === 'failed' || hasLittleContent(trace)
  return (
    <div className="stack">
      <JobHead trace={trace} />
      {trace.error && (
        <Notice kind="error">
          <p>{trace.error.error}</p>
          <code>{trace.error.code}</code>
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      {canAskSupport && <AskSupport trace={trace} />}
      {trace.pages && <ParentPages pages={trace.pages} />}
      <Timeline trace={trace} screenshots={document.data?.actions?.screenshots ?? []} />
      {readStep && <CoverageBar read={readStep} />}
      {isPage && <BlockInspector trace={trace} />}
      {trace.deliveries.length > 0 && <Deliveries deliveries={trace.deliveries} />}
      {document.data && <JobDocument document={document.data} />}
      {document.hasFailed && <p className="quiet">The document of this job is no longer stored.</p>}
    </div>
  )
}
