import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Capability } from '../api/capabilities.ts'
import type { OpenApi } from '../api/schema.ts'
import { Loading } from '../ui/page.tsx'
import { CallForm } from './call-form.tsx'
import type { Call } from './calls.ts'
import { CodePanel } from './code/code-panel.tsx'
import { firstRequest, saveDraft } from './drafts.ts'
import { seconds } from './elapsed.tsx'
import { formOf, withSessionPath } from './parameters.ts'
import { useRun } from './use-run.ts'
import { applyFix, withoutDefaults } from './with-fix.ts'

// Reading Markdown weighs as much as all else here, and is wanted when there is something to read.
const Answer = lazy(() => import('./response/response.tsx').then((part) => ({ default: part.Answer })))
const FailedCall = lazy(() =>
  import('./response/failed-call.tsx').then((part) => ({ default: part.FailedCall })),
)

interface CallPageProps {
  call: Call
  openApi: OpenApi
  features: Capability[]
  wanted: string | undefined
}

/** One call: its form, its answer, and the same call in other languages. */
export function CallPage({ call, openApi, features, wanted }: CallPageProps) {
  const [request, setRequest] = useState(() => firstRequest(call, wanted, features))
  const [file, setFile] = useState<File>()
  const answerId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const { run, start, cancel } = useRun()
  const answerRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (run.state === 'done' || run.state === 'failed') showOnPhone(answerRef.current)
  }, [run.state])
  const form = useMemo(() => formOf(openApi, call), [openApi, call])
  const change = (next: Record<string, unknown>) => {
    saveDraft(call, next)
    setRequest(next)
  }
  const { path, body } = withSessionPath(call, form, request)
  const named = form.takesFile ? { file: file?.name ?? 'report.pdf' } : {}
  const fix = (parameters: Record<string, unknown>) => {
    change(withoutDefaults(applyFix(request, parameters), [...form.first, ...form.options]))
    formRef.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  const help = { call, onFix: fix }
  return (
    <div className="columns playground">
      <CallForm
        ref={formRef}
        form={form}
        request={request}
        onChange={change}
        file={file}
        onFile={setFile}
        run={run}
        onRun={() => void start({ path, body, ...(file ? { file } : {}) })}
        onCancel={cancel}
      />
      <div className="stack">
        <section className="panel" aria-labelledby={answerId} ref={answerRef}>
          <h2 id={answerId}>Response</h2>
          <p className="hidden" role="status">
            {run.state === 'running' && 'Running'}
            {run.state === 'done' && `Done after ${seconds(run.ms)}`}
          </p>
          {run.state === 'idle' && <p className="quiet">The response appears here.</p>}
          {run.state === 'running' && <p className="quiet">Running…</p>}
          <Suspense fallback={<Loading />}>
            {run.state === 'failed' && <FailedCall run={run} {...help} />}
            {run.state === 'done' && <Answer run={run} {...help} />}
          </Suspense>
        </section>
        <CodePanel
          asked={{ call, origin: location.origin, path, body, ...named }}
          request={request}
          onChange={change}
        />
      </div>
    </div>
  )
}

/** In one column the answer is below the form, out of sight. */
function showOnPhone(element: HTMLElement | null) {
  if (matchMedia('(max-width: 52rem)').matches) element?.scrollIntoView()
}
