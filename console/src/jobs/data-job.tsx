import { Page } from '../ui/page.tsx'
import { CancelButton } from './cancel-button.tsx'
import { DataOfJob } from './data-of-job.tsx'
import { jobKinds } from './kinds.ts'
import { type DataKind, useDataJob } from './use-data-job.ts'

/** The page of an extract or an agent. */
export function DataJob({ kind, id }: { kind: DataKind; id: string }) {
  const job = useDataJob(kind, id)
  return (
    <Page title={jobKinds[kind].name} actions={<CancelDataJob job={job} />}>
      <DataOfJob kind={kind} id={id} job={job} />
    </Page>
  )
}

export function CancelDataJob({ job }: { job: ReturnType<typeof useDataJob> }) {
  if (!job.isRunning) return null
  return <CancelButton path={job.path} note="Pages read so far are not returned." onDone={job.refetch} />
}
