import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import type { JobTrace, SupportAnswer } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { formatDuration } from '../ui/units.ts'
import { playgroundRequest } from './playground-request.ts'

/**
 * Asks the support agent about a failed job or a job with little content, and links to the playground with the proposed
 * fix.
 */
export function AskSupport({ trace }: { trace: JobTrace }) {
  const questionId = useId()
  const [question, setQuestion] = useState(
    trace.state === 'failed'
      ? 'Why did this fail, and what can I change?'
      : 'Why is most of the page missing?',
  )
  const ask = useMutation({
    mutationFn: () => {
      const body = { question, jobId: trace.id }
      return request<SupportAnswer>('POST', '/v2/support/ask', { body })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <section className="panel stack" aria-labelledby="ask">
      <h2 id="ask">Ask the support agent</h2>
      <form className="ask-form" onSubmit={submit}>
        <label htmlFor={questionId}>Question</label>
        <input
          id={questionId}
          required
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" variant="main" isBusy={ask.isPending} disabled={ask.isPending}>
          Ask
        </Button>
      </form>
      {ask.isPending && (
        <p className="quiet" role="status">
          Reading the trace and testing fixes on the page. This takes up to a minute.
        </p>
      )}
      {ask.error && <ErrorNotice error={ask.error} />}
      {ask.data && <Answer answer={ask.data} trace={trace} />}
    </section>
  )
}

function Answer({ answer, trace }: { answer: SupportAnswer; trace: JobTrace }) {
  const { cause, confidence, validation, fixParameters, feedback, durationMs } = answer
  const playgroundCall = fixParameters && playgroundRequest(trace, fixParameters)
  return (
    <div className="stack" role="status">
      <p className="answer">{answer.answer}</p>
      <p className="row quiet">
        {cause !== null && <span className="badge">{cause}</span>}
        <span>confidence {confidence}</span>
        <span>answered in {formatDuration(durationMs)}</span>
      </p>
      {validation && (
        <p>
          <span className={validation.result === 'success' ? 'badge good' : 'badge'}>
            {validation.tested ? `Tested: ${validation.result}` : 'Not tested'}
          </span>{' '}
          {/* With feedback, the attempts are listed below. */}
          {!feedback && validation.evidence}
        </p>
      )}
      {fixParameters && <pre>{JSON.stringify(fixParameters, null, 2)}</pre>}
      {playgroundCall && (
        <div>
          <Link
            className="button main"
            to="/playground/$call"
            params={{ call: playgroundCall.call }}
            search={{ request: JSON.stringify(playgroundCall.request) }}
          >
            Try the fix in the playground
          </Link>
        </div>
      )}
      {feedback && <NoFix feedback={feedback} />}
    </div>
  )
}

function NoFix({ feedback }: { feedback: NonNullable<SupportAnswer['feedback']> }) {
  return (
    <div>
      <p>No fix found: {feedback.blockedBy}</p>
      <ul>
        {feedback.attempted.map((attempt) => (
          <li key={attempt}>{attempt}</li>
        ))}
      </ul>
    </div>
  )
}
