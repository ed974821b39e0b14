import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { Failure, Notice } from '../ui/notice.tsx'
import { Loading, Page } from '../ui/page.tsx'
import { inNumbers, shortAddress } from '../ui/units.ts'
import { JobActions } from './job-actions.tsx'
import { workKinds } from './kinds.ts'
import { PageBeside } from './page-beside.tsx'
import { PageErrors } from './page-errors.tsx'
import { PageList } from './page-list.tsx'
import { SiteProgress } from './site-progress.tsx'
import { SiteTree } from './site-tree.tsx'
import { useSiteJob } from './use-site-job.ts'

/** A crawl or a batch: how far it is, and its pages. */
export function SiteJob({ kind, id }: { kind: 'crawl' | 'batch'; id: string }) {
  const { path, rows, counts, status, trace, error, refetch } = useSiteJob(kind, id)
  const [opened, setOpened] = useState<string>()
  const failed = counts?.failed ?? 0
  const isRunning = status?.status === 'scraping'
  const wanted = { path, failed, isRunning }
  const title = `${workKinds[kind].name}${trace?.target ? ` of ${shortAddress(trace.target)}` : ''}`
  const actions = status && <JobActions path={path} status={status} failed={failed} onChange={refetch} />
  return (
    <Page title={title} actions={actions}>
      {error && <Failure error={error} />}
      {!status && !error && <Loading />}
      {status && counts && trace && (
        <div className="stack">
          <SiteProgress kind={kind} id={id} status={status} counts={counts} />
          {status.error !== undefined && (
            <Notice kind={status.status === 'cancelled' ? 'warning' : 'error'}>{status.error}</Notice>
          )}
          {status.warning !== undefined && <Notice kind="warning">{status.warning}</Notice>}
          {trace.pages?.notes.map((note) => (
            <Notice key={note}>{note}</Notice>
          ))}
          <div className={opened === undefined ? 'beside' : 'beside is-open'}>
            <Tabs.Root
              defaultValue={failed > 0 && status.completed === 0 ? 'errors' : 'pages'}
              className="panel"
            >
              <Tabs.List className="tabs" aria-label="What it brought">
                <Tabs.Trigger value="pages">Pages ({inNumbers(rows.length)})</Tabs.Trigger>
                <Tabs.Trigger value="tree">Site</Tabs.Trigger>
                <Tabs.Trigger value="errors">Errors ({inNumbers(failed)})</Tabs.Trigger>
              </Tabs.List>
              <Tabs.Content value="pages">
                <PageList rows={rows} isRunning={isRunning} opened={opened} onOpen={setOpened} />
              </Tabs.Content>
              <Tabs.Content value="tree">
                <SiteTree rows={rows} {...wanted} opened={opened} onOpen={setOpened} />
              </Tabs.Content>
              <Tabs.Content value="errors">
                <PageErrors {...wanted} />
              </Tabs.Content>
            </Tabs.Root>
            {opened !== undefined && <PageBeside id={opened} onClose={() => setOpened(undefined)} />}
          </div>
        </div>
      )}
    </Page>
  )
}
