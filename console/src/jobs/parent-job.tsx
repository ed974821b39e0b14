import { Link, useParams } from '@tanstack/react-router'
import { Empty, Page } from '../ui/page.tsx'
import { DataJob } from './data-job.tsx'
import { findJobKind, hasPages } from './kinds.ts'
import { SiteJob } from './site-job.tsx'
import '../ui/lists.css'
import './jobs.css'

/** The page of one crawl, batch, extract or agent. */
export function ParentJob() {
  const { kind: kindParam, id } = useParams({ from: '/jobs/$kind/$id' })
  const kind = findJobKind(kindParam)
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
  // The key remounts the component for another job, which resets its state.
  return hasPages(kind) ? <SiteJob key={id} kind={kind} id={id} /> : <DataJob key={id} kind={kind} id={id} />
}
