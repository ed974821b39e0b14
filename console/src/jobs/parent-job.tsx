import { Link, useParams } from '@tanstack/react-router'
import { Empty, Page } from '../ui/page.tsx'
import { DataJob } from './data-job.tsx'
import { bringsPages, workKindOf } from './kinds.ts'
import { SiteJob } from './site-job.tsx'
import '../ui/lists.css'
import './work.css'

/** One crawl, batch, extract or agent. */
export function ParentJob() {
  const { kind: word, id } = useParams({ from: '/work/$kind/$id' })
  const kind = workKindOf(word)
  if (!kind) {
    return (
      <Page title="Work">
        <Empty>
          <p>There is no work of this kind.</p>
          <Link to="/work">All work</Link>
        </Empty>
      </Page>
    )
  }
  // Another job is another component: nothing of the one before stays.
  return bringsPages(kind) ? (
    <SiteJob key={id} kind={kind} id={id} />
  ) : (
    <DataJob key={id} kind={kind} id={id} />
  )
}
