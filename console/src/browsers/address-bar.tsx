import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { completeUrl, useExecute } from './sessions.ts'

/** Navigates by running code in the session, as a client of the API would. */
export function AddressBar({ id }: { id: string }) {
  const [typedUrl, setTypedUrl] = useState('')
  const run = useExecute(id)
  const navigate = (event: FormEvent) => {
    event.preventDefault()
    const url = completeUrl(typedUrl)
    setTypedUrl(url)
    const code = `await page.goto(${JSON.stringify(url)}, { waitUntil: 'domcontentloaded' }); page.url()`
    run.mutate({ code, language: 'node' })
  }
  const failed = run.data && run.data.exitCode !== 0
  return (
    <>
      <form className="address-bar" onSubmit={navigate}>
        <label className="hidden" htmlFor="browser-address">
          URL
        </label>
        <input
          id="browser-address"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          required
          placeholder="https://example.com"
          value={typedUrl}
          onChange={(event) => setTypedUrl(event.target.value)}
        />
        <Button type="submit" variant="main" isBusy={run.isPending} disabled={run.isPending}>
          Go
        </Button>
      </form>
      {run.error && <ErrorNotice error={run.error} />}
      {failed && <Notice kind="error">{run.data.error ?? run.data.stderr ?? 'Navigation failed.'}</Notice>}
    </>
  )
}
