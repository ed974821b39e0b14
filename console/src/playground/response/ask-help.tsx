import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { request, WinnowError } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import type { Call } from '../calls.ts'
import { isObject } from '../form/deep-equal.ts'
import type { SentRequest } from '../use-run.ts'
import { SupportAnswer } from './support-answer.tsx'

interface AskHelpProps {
  call: Call
  sent: SentRequest
  error?: unknown
  jobId: string | undefined
  title?: string
  onFix: (fix: Record<string, unknown>) => void
}

/** Asks the support agent about a call. Sends the request and the error with the question. */
export function AskHelp({ call, sent, error, jobId, title, onFix }: AskHelpProps) {
  const id = useId()
  const [question, setQuestion] = useState('')
  const support = useMutation({
    mutationFn: () =>
      request<Record<string, unknown>>('POST', '/v2/support/ask', {
        body: {
          question: question.trim() || getDefaultQuestion(call, sent, error),
          ...(jobId === undefined ? {} : { jobId }),
          context: buildContext(call, sent, error),
        },
      }),
  })
  const { error: supportError } = support
  return (
    <details className="ask" open={title === undefined}>
      <summary>{title ?? 'Diagnose'}</summary>
      <label htmlFor={id}>What did you expect? Quoted text is searched for on the page.</label>
      <input
        id={id}
        value={question}
        placeholder={getDefaultQuestion(call, sent, error)}
        onChange={({ target }) => setQuestion(target.value)}
      />
      <Button isBusy={support.isPending} disabled={support.isPending} onClick={() => support.mutate()}>
        Ask the support agent
      </Button>
      <div aria-live="polite">
        {support.isPending && (
          <p className="quiet">Reading the job and testing fixes. This takes up to a minute.</p>
        )}
        {support.data && <SupportAnswer answer={support.data} onFix={onFix} />}
        {/* A timeout error contains the findings so far. */}
        {supportError instanceof WinnowError && typeof supportError.body.answer === 'string' ? (
          <SupportAnswer answer={supportError.body} onFix={onFix} />
        ) : (
          supportError && <ErrorNotice error={supportError} />
        )}
      </div>
    </details>
  )
}

function getDefaultQuestion(call: Call, { body }: SentRequest, error: unknown): string {
  const target = body.url ?? body.query ?? ''
  if (error instanceof WinnowError) return `Why did ${call.name} ${target} fail with ${error.code}?`
  return `Why did ${call.name} ${target} not return what was expected?`
}

/**
 * Returns the context of the question. Omits a request of 20,000 characters or more, because MAX_CONTEXT_BYTES limits
 * the context.
 */
function buildContext(call: Call, { path, body }: SentRequest, error: unknown) {
  const request = JSON.stringify(body).length < 20_000 ? body : {}
  const errorContext = error instanceof WinnowError && isObject(error.body) ? { error: error.body } : {}
  return { call: call.name, path, request, ...errorContext }
}
