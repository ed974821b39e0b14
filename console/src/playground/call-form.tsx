import { type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Elapsed, seconds } from './elapsed.tsx'
import { FileField } from './form/file-field.tsx'
import { FormField } from './form/form-field.tsx'
import { OptionFields } from './form/option-fields.tsx'
import { withValue } from './form/same.ts'
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

/** What is asked for. Ctrl+Enter sends it from any field. */
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
  const send = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: a short cut for the button inside
    <form
      ref={ref}
      className="panel call-form"
      onKeyDown={send}
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
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
