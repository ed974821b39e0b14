import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Elapsed, seconds } from './elapsed.tsx'
import { withValue } from './form/deep-equal.ts'
import { FileField } from './form/file-field.tsx'
import { FormField } from './form/form-field.tsx'
import { OptionFields } from './form/option-fields.tsx'
import type { CallForm as Form } from './parameters.ts'
import type { Run } from './use-run.ts'

interface CallFormProps {
  ref: RefObject<HTMLFormElement | null>
  form: Form
  request: Record<string, unknown>
  onChange: (request: Record<string, unknown>) => void
  file: File | undefined
  onFile: (file: File | undefined) => void
  run: Run
  onRun: () => void
  onCancel: () => void
}

/** What is asked for. Ctrl+Enter sends it. */
export function CallForm({
  ref,
  form,
  request,
  onChange,
  file,
  onFile,
  run,
  onRun,
  onCancel,
}: CallFormProps) {
  const [hasControl] = useState(() => !/Mac|iPhone|iPad/.test(navigator.platform))
  useShortcut(ref)
  return (
    <form
      ref={ref}
      className="panel call-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete(event.currentTarget)) onRun()
      }}
    >
      <p className="quiet">{form.summary}.</p>
      {form.takesFile && <FileField file={file} onFile={onFile} />}
      {form.first.map((field) => (
        <FormField
          key={field.name}
          field={field}
          isOpen
          value={request[field.name]}
          onChange={(value) => onChange(withValue(request, field.name, value))}
        />
      ))}
      <OptionFields fields={form.options} request={request} onChange={onChange} />
      <div className="row run-row">
        <Button type="submit" look="main" icon="play" isBusy={run.state === 'running'}>
          Run
        </Button>
        {run.state === 'running' && (
          <>
            <Button icon="stop" onClick={onCancel}>
              Cancel
            </Button>
            <Elapsed since={run.since} />
          </>
        )}
        {(run.state === 'done' || run.state === 'failed') && <span className="quiet">{seconds(run.ms)}</span>}
        {run.state !== 'running' && <kbd className="quiet shortcut">{hasControl ? 'Ctrl' : '⌘'}+Enter</kbd>}
      </div>
    </form>
  )
}

/** From anywhere on the page, so that it does not matter which field or editor was left last. */
function useShortcut(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const send = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    window.addEventListener('keydown', send)
    return () => window.removeEventListener('keydown', send)
  }, [form])
}

/** A browser does not send a form with a wrong field that is folded away, nor say so: it is unfolded first. */
function isComplete(form: HTMLFormElement): boolean {
  const wrong = form.querySelector('input:invalid, textarea:invalid, select:invalid')
  for (let fold = wrong?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true
  return form.reportValidity()
}
