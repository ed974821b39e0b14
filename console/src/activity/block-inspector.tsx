import { useMutation } from '@tanstack/react-query'
import type { Document, JobTrace } from '../../../client/src/types.ts'
import { request, WinnowError } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { type TextBlock, TextBlocks } from './text-blocks.tsx'

interface BlocksResponse {
  data: Document & { textBlocks?: TextBlock[] }
}

/** Scrapes the page again and shows which text blocks are kept or excluded, and why. */
export function BlockInspector({ trace }: { trace: JobTrace }) {
  const plan = trace.steps.find((step) => step.step === 'plan')
  const inspection = useMutation({
    mutationFn: () =>
      request<BlocksResponse>('POST', '/v2/scrape', {
        body: {
          url: trace.target,
          formats: ['blocks'],
          ...(plan ? { onlyMainContent: plan.onlyMainContent } : {}),
          ...(plan && plan.waitForMs > 0 ? { waitFor: plan.waitForMs } : {}),
        },
      }),
  })
  const selectorCount = (plan?.includeTags ?? 0) + (plan?.excludeTags ?? 0)
  return (
    <section className="panel stack" aria-labelledby="why">
      <h2 id="why">Content inspector</h2>
      <p>
        Scrapes the page again and shows which blocks are kept or excluded, and why. This costs the same
        credits as a scrape.
        {selectorCount > 0 &&
          ' The job had includeTags or excludeTags; the trace does not name them, so they are not applied here.'}
      </p>
      <div>
        <Button
          icon="watch"
          isBusy={inspection.isPending}
          disabled={inspection.isPending}
          onClick={() => inspection.mutate()}
        >
          Inspect the page
        </Button>
      </div>
      {inspection.error && <InspectionError error={inspection.error} />}
      {inspection.data?.data.warning !== undefined && (
        <Notice kind="warning">{inspection.data.data.warning}</Notice>
      )}
      {inspection.data?.data.textBlocks && <TextBlocks blocks={inspection.data.data.textBlocks} />}
    </section>
  )
}

/** Error of the inspection. A service that is older than the console rejects the format "blocks". */
function InspectionError({ error }: { error: unknown }) {
  const isUnsupported =
    error instanceof WinnowError && error.status === 400 && error.message.includes('formats')
  if (isUnsupported) return <Notice>This service does not support the format "blocks".</Notice>
  return <ErrorNotice error={error} />
}
