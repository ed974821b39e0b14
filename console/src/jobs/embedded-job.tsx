import { CancelData } from './data-job.tsx'
import { DataOfJob } from './data-of-job.tsx'
import { JobActions } from './job-actions.tsx'
import { hasPages, type JobKind } from './kinds.ts'
import { PagesOfJob } from './pages-of-job.tsx'
import { type DataKind, useDataJob } from './use-data-job.ts'
import { type SiteKind, useSiteJob } from './use-site-job.ts'
import '../ui/lists.css'
import './jobs.css'

/** A job within another page, from its start to its end. */
export function EmbeddedJob({ kind, id }: { kind: JobKind; id: string }) {
  return hasPages(kind) ? <SiteInside kind={kind} id={id} /> : <DataInside kind={kind} id={id} />
}

function SiteInside({ kind, id }: { kind: SiteKind; id: string }) {
  const job = useSiteJob(kind, id)
  return (
    <div className="stack job-inside">
      <PagesOfJob kind={kind} id={id} job={job} />
      <div className="row">
        <JobActions job={job} />
      </div>
    </div>
  )
}

function DataInside({ kind, id }: { kind: DataKind; id: string }) {
  const job = useDataJob(kind, id)
  return (
    <div className="stack job-inside">
      <DataOfJob kind={kind} id={id} job={job} />
      <CancelData job={job} />
    </div>
  )
}
