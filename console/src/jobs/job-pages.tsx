import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { formatCount } from '../ui/units.ts'
import { PageErrors } from './page-errors.tsx'
import { PageList } from './page-list.tsx'
import { PagePreview } from './page-preview.tsx'
import { SiteProgress } from './site-progress.tsx'
import { SiteTree } from './site-tree.tsx'
import type { SiteJobState, SiteKind } from './use-site-job.ts'

interface JobPagesProps {
  kind: SiteKind
  id: string
  job: SiteJobState
}

/** Progress, pages and errors of a crawl or a batch. */
export function JobPages({ kind, id, job }: JobPagesProps) {
  const { path, rows, counts, status, trace, error } = job
  const [openedId, setOpenedId] = useState<string>()
  if (!status || !counts || !trace) return error ? <ErrorNotice error={error} /> : <Loading />
  const { failed } = counts
  const isRunning = status.status === 'scraping'
  const errorsQuery = { path, failed, isRunning }
  return (
    <div className="stack">
      {error && <ErrorNotice error={error} />}
      <SiteProgress kind={kind} id={id} status={status} counts={counts} />
      {status.error !== undefined && (
        <Notice kind={status.status === 'cancelled' ? 'warning' : 'error'}>{status.error}</Notice>
      )}
      {status.warning !== undefined && <Notice kind="warning">{status.warning}</Notice>}
      {trace.pages?.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      <div className={openedId === undefined ? 'pages-and-preview' : 'pages-and-preview is-open'}>
        <Tabs.Root defaultValue={failed > 0 && status.completed === 0 ? 'errors' : 'pages'} className="panel">
          <Tabs.List className="tabs" aria-label="Results">
            <Tabs.Trigger value="pages">Pages ({formatCount(rows.length)})</Tabs.Trigger>
            <Tabs.Trigger value="tree">Site</Tabs.Trigger>
            <Tabs.Trigger value="errors">Errors ({formatCount(failed)})</Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="pages">
            <PageList rows={rows} isRunning={isRunning} openedId={openedId} onOpen={setOpenedId} />
          </Tabs.Content>
          <Tabs.Content value="tree">
            <SiteTree rows={rows} {...errorsQuery} openedId={openedId} onOpen={setOpenedId} />
          </Tabs.Content>
          <Tabs.Content value="errors">
            <PageErrors {...errorsQuery} />
          </Tabs.Content>
        </Tabs.Root>
        {openedId !== undefined && <PagePreview id={openedId} onClose={() => setOpenedId(undefined)} />}
      </div>
    </div>
  )
}
