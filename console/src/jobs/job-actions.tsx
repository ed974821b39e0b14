import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PostCrawlRetryResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { formatCount } from '../ui/units.ts'
import { ActionFailure } from './action-failure.tsx'
import { CancelButton } from './cancel-button.tsx'
import { DownloadButtons } from './download-buttons.tsx'
import type { SiteJobState } from './use-site-job.ts'

/** Actions on a crawl or a batch: cancel, retry failed pages, download. */
export function JobActions({ job: { path, status, counts, refetch } }: { job: SiteJobState }) {
  if (!status) return null
  const failed = counts?.failed ?? 0
  const isRunning = status.status === 'scraping'
  return (
    <>
      {isRunning && <CancelButton path={path} note="Completed pages are kept." onDone={refetch} />}
      {!isRunning && failed > 0 && <RetryButton path={path} failed={failed} />}
      {status.completed > 0 && <DownloadButtons path={path} />}
    </>
  )
}

function RetryButton({ path, failed }: { path: string; failed: number }) {
  const navigate = useNavigate()
  const retry = useMutation({
    mutationFn: () => request<PostCrawlRetryResponse>('POST', `${path}/retry`, { body: {} }),
    onSuccess: ({ id, warning }) => {
      // Navigate only without a warning, because the user must be able to read it.
      if (warning === undefined) void navigate({ to: '/jobs/$kind/$id', params: { kind: 'batch', id } })
    },
  })
  if (retry.data?.warning !== undefined) {
    return (
      <Notice kind="warning">
        <p>{retry.data.warning}</p>
        <Link to="/jobs/$kind/$id" params={{ kind: 'batch', id: retry.data.id }}>
          Open the new batch
        </Link>
      </Notice>
    )
  }
  return (
    <>
      <Button
        icon="refresh"
        isBusy={retry.isPending}
        disabled={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Retry failed pages ({formatCount(failed)})
      </Button>
      <ActionFailure error={retry.error} />
    </>
  )
}
