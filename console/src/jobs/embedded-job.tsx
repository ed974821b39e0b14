import { CancelDataJob } from './data-job.tsx'
import { DataOfJob } from './data-of-job.tsx'
import { JobActions } from './job-actions.tsx'
import { JobPages } from './job-pages.tsx'
import { hasPages, type JobKind } from './kinds.ts'
import { type DataKind, useDataJob } from './use-data-job.ts'
import { type SiteKind, useSiteJob } from './use-site-job.ts'
import '../ui/lists.css'
import './jobs.css'

/** A job within another page: progress, results and actions. */
export function EmbeddedJob({ kind, id }: { kind: JobKind; id: string }) {
  return hasPages(kind) ? <EmbeddedSiteJob kind={kind} id={id} /> : <EmbeddedDataJob kind={kind} id={id} />
}

function EmbeddedSiteJob({ kind, id }: { kind: SiteKind; id: string }) {
  const job = useSiteJob(kind, id)
  return (
    <div className="stack embedded-job">
      <JobPages kind={kind} id={id} job={job} />
      <div className="row">
        <JobActions job={job} />
      </div>
    </div>
  )
}

function EmbeddedDataJob({ kind, id }: { kind: DataKind; id: string }) {
  const job = useDataJob(kind, id)
  return (
    <div className="stack embedded-job">
      <DataOfJob kind={kind} id={id} job={job} />
      <CancelDataJob job={job} />
    </div>
  )
}
