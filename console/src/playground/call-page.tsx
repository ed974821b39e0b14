import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Capability } from '../api/capabilities.ts'
import type { OpenApi } from '../api/schema.ts'
import { Loading } from '../ui/page.tsx'
import { CallForm } from './call-form.tsx'
import type { Call } from './calls.ts'
import { CodePanel } from './code/code-panel.tsx'
import { getInitialRequest, saveDraft } from './drafts.ts'
import { formatSeconds } from './elapsed.tsx'
import { buildForm, splitRequest } from './parameters.ts'
import { useRun } from './use-run.ts'
import { applyFix, withoutDefaults } from './with-fix.ts'

// Loaded on demand: the Markdown renderer doubles the size of this page, and is needed only for a response.
const CallResponse = lazy(() =>
  import('./response/response.tsx').then((part) => ({ default: part.CallResponse })),
)
const FailedCall = lazy(() =>
  import('./response/failed-call.tsx').then((part) => ({ default: part.FailedCall })),
)

interface CallPageProps {
  call: Call
  openApi: OpenApi
  features: Capability[]
  encodedRequest: string | undefined
}

/** One call: its form, its response and code samples. */
export function CallPage({ call, openApi, features, encodedRequest }: CallPageProps) {
  const [request, setRequest] = useState(() => getInitialRequest(call, encodedRequest, features))
  const [file, setFile] = useState<File>()
  const responseId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const { run, start, cancel } = useRun()
  const responseRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (run.state === 'done' || run.state === 'failed') scrollToResponse(responseRef.current)
  }, [run.state])
  const form = useMemo(() => buildForm(openApi, call), [openApi, call])
  const updateRequest = (nextRequest: Record<string, unknown>) => {
    saveDraft(call, nextRequest)
    setRequest(nextRequest)
  }
  const { path, body } = splitRequest(call, form, request)
  const fileParam = form.takesFile ? { file: file?.name ?? 'report.pdf' } : {}
  const applySuggestedFix = (parameters: Record<string, unknown>) => {
    updateRequest(withoutDefaults(applyFix(request, parameters), [...form.mainFields, ...form.options]))
    formRef.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  const helpProps = { call, onFix: applySuggestedFix }
  return (
    <div className="columns playground">
      <CallForm
        ref={formRef}
        form={form}
        request={request}
        onChange={updateRequest}
        file={file}
        onFile={setFile}
        run={run}
        onRun={() => void start({ path, body, ...(file ? { file } : {}) })}
        onCancel={cancel}
      />
      <div className="stack">
        <section className="panel" aria-labelledby={responseId} ref={responseRef}>
          <h2 id={responseId}>Response</h2>
          <p className="hidden" role="status">
            {run.state === 'running' && 'Running'}
            {run.state === 'done' && `Done after ${formatSeconds(run.ms)}`}
          </p>
          {run.state === 'idle' && <p className="quiet">The response appears here.</p>}
          {run.state === 'running' && <p className="quiet">Running…</p>}
          <Suspense fallback={<Loading />}>
            {run.state === 'failed' && <FailedCall run={run} {...helpProps} />}
            {run.state === 'done' && <CallResponse run={run} {...helpProps} />}
          </Suspense>
        </section>
        <CodePanel
          sampleRequest={{ call, origin: location.origin, path, body, ...fileParam }}
          request={request}
          onChange={updateRequest}
        />
      </div>
    </div>
  )
}

/** Scrolls to the response in the one-column layout, where it is below the form. */
function scrollToResponse(element: HTMLElement | null) {
  if (matchMedia('(max-width: 52rem)').matches) element?.scrollIntoView()
}
