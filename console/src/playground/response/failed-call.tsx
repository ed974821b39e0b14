import { WinnowError } from '../../api/request.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import type { Call } from '../calls.ts'
import type { Run } from '../use-run.ts'
import { AskHelp } from './ask-help.tsx'

interface FailedCallProps {
  call: Call
  run: Extract<Run, { state: 'failed' }>
  onFix: (fix: Record<string, unknown>) => void
}

/** Error of a call, with a form to ask the support agent. */
export function FailedCall({ call, run, onFix }: FailedCallProps) {
  const { error, sent } = run
  const body = error instanceof WinnowError ? error.body : undefined
  const jobId = body?.jobId ?? body?.id ?? body?.scrapeId
  return (
    <div className="stack">
      <ErrorNotice error={error} />
      {call.name !== 'ask' && (
        <AskHelp
          call={call}
          sent={sent}
          error={error}
          jobId={typeof jobId === 'string' ? jobId : undefined}
          onFix={onFix}
        />
      )}
      {body && (
        <details>
          <summary>Error details</summary>
          <JsonTree value={body} />
        </details>
      )}
    </div>
  )
}
