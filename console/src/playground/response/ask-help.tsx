import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { request, WinnowError } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/notice.tsx'
import type { Call } from '../calls.ts'
import { isObject } from '../form/deep-equal.ts'
import type { Sent } from '../use-run.ts'
import { SupportAnswer } from './support-answer.tsx'

interface AskHelpProps {
  call: Call
  sent: Sent
  error?: unknown
  jobId: string | undefined
  title?: string
  onFix: (fix: Record<string, unknown>) => void
}

/** Asks the support agent about a call, with the call itself and what came of it. */
export function AskHelp({ call, sent, error, jobId, title, onFix }: AskHelpProps) {
  const id = useId()
  const [question, setQuestion] = useState('')
  const asked = useMutation({
    mutationFn: () =>
      request<Record<string, unknown>>('POST', '/v2/support/ask', {
        body: {
          question: question.trim() || questionOf(call, sent, error),
          ...(jobId === undefined ? {} : { jobId }),
          context: contextOf(call, sent, error),
        },
      }),
  })
  const { error: failure } = asked
  return (
    <details className="ask" open={title === undefined}>
      <summary>{title ?? 'Diagnose'}</summary>
      <label htmlFor={id}>What did you expect? Text in quotation marks is searched on the page.</label>
      <input
        id={id}
        value={question}
        placeholder={questionOf(call, sent, error)}
        onChange={({ target }) => setQuestion(target.value)}
      />
      <Button isBusy={asked.isPending} disabled={asked.isPending} onClick={() => asked.mutate()}>
        Ask the support agent
      </Button>
      <div aria-live="polite">
        {asked.isPending && (
          <p className="quiet">Reading the job and testing fixes. This takes up to a minute.</p>
        )}
        {asked.data && <SupportAnswer answer={asked.data} onFix={onFix} />}
        {/* Without enough time the agent says what it has found until then. */}
        {failure instanceof WinnowError && typeof failure.body.answer === 'string' ? (
          <SupportAnswer answer={failure.body} onFix={onFix} />
        ) : (
          failure && <Failure error={failure} />
        )}
      </div>
    </details>
  )
}

function questionOf(call: Call, { body }: Sent, error: unknown): string {
  const what = body.url ?? body.query ?? ''
  if (error instanceof WinnowError) return `Why did ${call.name} ${what} fail with ${error.code}?`
  return `Why did ${call.name} ${what} not return what was expected?`
}

/** The parts of an error that say something; a request that is larger than a question may be is left out. */
function contextOf(call: Call, { path, body }: Sent, error: unknown) {
  const request = JSON.stringify(body).length < 20_000 ? body : {}
  const said = error instanceof WinnowError && isObject(error.body) ? { error: error.body } : {}
  return { call: call.name, path, request, ...said }
}
