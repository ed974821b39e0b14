import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Failure, Notice } from '../ui/notice.tsx'
import { completeUrl, useExecute } from './sessions.ts'

/** Goes to an address by code, as any caller of the API would. */
export function AddressBar({ id }: { id: string }) {
  const [address, setAddress] = useState('')
  const going = useExecute(id)
  const go = (event: FormEvent) => {
    event.preventDefault()
    const url = completeUrl(address)
    setAddress(url)
    const code = `await page.goto(${JSON.stringify(url)}, { waitUntil: 'domcontentloaded' }); page.url()`
    going.mutate({ code, language: 'node' })
  }
  const failed = going.data && going.data.exitCode !== 0
  return (
    <>
      <form className="address-bar" onSubmit={go}>
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
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" look="main" isBusy={going.isPending} disabled={going.isPending}>
          Go
        </Button>
      </form>
      {going.error && <Failure error={going.error} />}
      {failed && (
        <Notice kind="error">{going.data.error ?? going.data.stderr ?? 'Navigation failed.'}</Notice>
      )}
    </>
  )
}
