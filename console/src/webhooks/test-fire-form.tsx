import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Failure, Notice } from '../ui/notice.tsx'
import { useTestFire } from './deliveries.ts'

/** Sends an event of no job, to see whether a receiver works. */
export function TestFireForm() {
  const id = useId()
  const [url, setUrl] = useState('')
  const [headers, setHeaders] = useState('')
  const [wrong, setWrong] = useState<string>()
  const firing = useTestFire()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = headersIn(headers)
    setWrong(typeof read === 'string' ? read : undefined)
    if (typeof read === 'string') return
    firing.mutate({ url: url.trim(), ...(Object.keys(read).length > 0 ? { headers: read } : {}) })
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
      {wrong !== undefined && <Notice kind="error">{wrong}</Notice>}
      <Button type="submit" look="main" isBusy={firing.isPending} disabled={firing.isPending}>
        Send event
      </Button>
      {firing.error && <Failure error={firing.error} />}
      {firing.data && (
        <Notice>
          Sent as <code>{firing.data.webhookId}</code>. The response of the receiver appears in the list of
          deliveries.
        </Notice>
      )}
    </form>
  )
}

/** The headers, or what is wrong with a line. */
function headersIn(text: string): Record<string, string> | string {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = line.indexOf(':')
    if (at < 1) return `“${line}” needs a name and a colon.`
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return headers
}
