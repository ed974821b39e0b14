import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { useSendTestEvent } from './deliveries.ts'

/** Form that sends a test event without a job to a webhook URL. */
export function TestEventForm() {
  const id = useId()
  const [url, setUrl] = useState('')
  const [headers, setHeaders] = useState('')
  const [headerError, setHeaderError] = useState<string>()
  const sending = useSendTestEvent()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseHeaders(headers)
    setHeaderError(typeof parsed === 'string' ? parsed : undefined)
    if (typeof parsed === 'string') return
    sending.mutate({ url: url.trim(), ...(Object.keys(parsed).length > 0 ? { headers: parsed } : {}) })
  }
  return (
    <form className="panel stack" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h2 id={`${id}-title`}>Send a test event</h2>
      <Field
        name="Webhook URL"
        type="url"
        required
        placeholder="https://example.com/hook"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <div className="field">
        <label htmlFor={id}>Headers</label>
        <textarea
          id={id}
          rows={3}
          spellCheck={false}
          placeholder="authorization: Bearer …"
          value={headers}
          onChange={(event) => setHeaders(event.target.value)}
        />
        <span className="quiet">One per line. Optional.</span>
      </div>
      {headerError !== undefined && <Notice kind="error">{headerError}</Notice>}
      <Button type="submit" variant="main" isBusy={sending.isPending} disabled={sending.isPending}>
        Send event
      </Button>
      {sending.error && <ErrorNotice error={sending.error} />}
      {sending.data && (
        <Notice>
          Sent as <code>{sending.data.webhookId}</code>. The response of the receiver appears in the list of
          deliveries.
        </Notice>
      )}
    </form>
  )
}

/** Parses one header per line. Returns an error message if a line is invalid. */
function parseHeaders(text: string): Record<string, string> | string {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter((nextLine) => nextLine.trim() !== '')) {
    const colonIndex = line.indexOf(':')
    if (colonIndex < 1) return `“${line}” needs a name and a colon.`
    headers[line.slice(0, colonIndex).trim()] = line.slice(colonIndex + 1).trim()
  }
  return headers
}
