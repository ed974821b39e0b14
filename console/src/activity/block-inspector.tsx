import { useMutation } from '@tanstack/react-query'
import type { Document, JobTrace } from '../../../client/src/types.ts'
import { request, WinnowError } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Failure, Notice } from '../ui/notice.tsx'
import { type TextBlock, TextBlocks } from './text-blocks.tsx'

interface BlocksAnswer {
  data: Document & { textBlocks?: TextBlock[] }
}

/** Reads the page again and shows what is kept of it, what is not, and why. */
export function BlockInspector({ trace }: { trace: JobTrace }) {
  const plan = trace.steps.find((step) => step.step === 'plan')
  const look = useMutation({
    mutationFn: () =>
      request<BlocksAnswer>('POST', '/v2/scrape', {
        body: {
          url: trace.target,
          formats: ['blocks'],
          ...(plan ? { onlyMainContent: plan.onlyMainContent } : {}),
          ...(plan && plan.waitForMs > 0 ? { waitFor: plan.waitForMs } : {}),
        },
      }),
  })
  const selectors = (plan?.includeTags ?? 0) + (plan?.excludeTags ?? 0)
  return (
    <section className="panel stack" aria-labelledby="why">
      <h2 id="why">Content inspector</h2>
      <p>
        Reads the page again and shows every block of it, kept or left out, with the reason. This costs what
        the page costs.
        {selectors > 0 &&
          ' The job had includeTags or excludeTags; the trace does not name them, so they are not applied here.'}
      </p>
      <div>
        <Button icon="watch" isBusy={look.isPending} disabled={look.isPending} onClick={() => look.mutate()}>
          Inspect the page
        </Button>
      </div>
      {look.error && <LookFailure error={look.error} />}
      {look.data?.data.warning !== undefined && <Notice kind="warning">{look.data.data.warning}</Notice>}
      {look.data?.data.textBlocks && <TextBlocks blocks={look.data.data.textBlocks} />}
    </section>
  )
}

/** A service that is older than the console knows no such format. */
function LookFailure({ error }: { error: unknown }) {
  const isUnknown = error instanceof WinnowError && error.status === 400 && error.message.includes('formats')
  if (isUnknown) return <Notice>This service does not support the format "blocks".</Notice>
  return <Failure error={error} />
}
