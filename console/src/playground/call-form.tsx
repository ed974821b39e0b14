import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Elapsed, formatSeconds } from './elapsed.tsx'
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

/** Form of a call. Ctrl+Enter sends it. */
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
  const [hasControlKey] = useState(() => !/Mac|iPhone|iPad/.test(navigator.platform))
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
      {form.mainFields.map((field) => (
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
        <Button type="submit" variant="main" icon="play" isBusy={run.state === 'running'}>
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
        {(run.state === 'done' || run.state === 'failed') && (
          <span className="quiet">{formatSeconds(run.ms)}</span>
        )}
        {run.state !== 'running' && (
          <kbd className="quiet shortcut">{hasControlKey ? 'Ctrl' : '⌘'}+Enter</kbd>
        )}
      </div>
    </form>
  )
}

/** Submits the form on Ctrl+Enter. It listens on the window, so the focus can be anywhere on the page. */
function useShortcut(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [form])
}

/**
 * Validates the form. Opens collapsed sections around the first invalid field, because browsers cannot report an
 * invisible field.
 */
function isComplete(form: HTMLFormElement): boolean {
  const invalidField = form.querySelector('input:invalid, textarea:invalid, select:invalid')
  for (
    let details = invalidField?.closest('details');
    details;
    details = details.parentElement?.closest('details')
  )
    details.open = true
  return form.reportValidity()
}
