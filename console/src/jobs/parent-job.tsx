import { Link, useParams } from '@tanstack/react-router'
import { Empty, Page } from '../ui/page.tsx'
import { DataJob } from './data-job.tsx'
import { hasPages, jobKindOf } from './kinds.ts'
import { SiteJob } from './site-job.tsx'
import '../ui/lists.css'
import './jobs.css'

/** One crawl, batch, extract or agent. */
export function ParentJob() {
  const { kind: word, id } = useParams({ from: '/jobs/$kind/$id' })
  const kind = jobKindOf(word)
  if (!kind) {
    return (
      <Page title="Jobs">
        <Empty>
          <p>Unknown kind of job.</p>
          <Link to="/jobs">All jobs</Link>
        </Empty>
      </Page>
    )
  }
  // Another job is another component: nothing of the one before stays.
  return hasPages(kind) ? <SiteJob key={id} kind={kind} id={id} /> : <DataJob key={id} kind={kind} id={id} />
}
