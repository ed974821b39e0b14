import { Page } from '../ui/page.tsx'
import { shortenUrl } from '../ui/units.ts'
import { JobActions } from './job-actions.tsx'
import { JobPages } from './job-pages.tsx'
import { jobKinds } from './kinds.ts'
import { type SiteKind, useSiteJob } from './use-site-job.ts'

/** The page of a crawl or a batch. */
export function SiteJob({ kind, id }: { kind: SiteKind; id: string }) {
  const job = useSiteJob(kind, id)
  const { target } = job.trace ?? {}
  return (
    <Page
      title={`${jobKinds[kind].name}${target ? ` of ${shortenUrl(target)}` : ''}`}
      actions={<JobActions job={job} />}
    >
      <JobPages kind={kind} id={id} job={job} />
    </Page>
  )
}
