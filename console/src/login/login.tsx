import { type FormEvent, type ReactNode, useState } from 'react'
import { setKey } from '../api/key.ts'
import { request, WinnowError } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ErrorNotice } from '../ui/notice.tsx'

export function Login({ children }: { children?: ReactNode }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    setKey(text.trim())
    try {
      await request('GET', '/v2/team/credit-usage')
    } catch (thrown) {
      if (thrown instanceof WinnowError && thrown.status === 401) setKey(undefined)
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className="login">
      <h1>
        <Icon name="brand" /> Winnow
      </h1>
      <p>Paste your API key. It is stored in this browser only.</p>
      {children}
      <form onSubmit={submit}>
        <label htmlFor="key">API key</label>
        <input
          id="key"
          type="password"
          autoComplete="current-password"
          required
          placeholder="fc-…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="main" isBusy={isBusy}>
          Open the console
        </Button>
      </form>
      {error !== undefined && <ErrorNotice error={error} />}
      <p className="quiet">
        On the machine of the service, the key is in the file <code>api-key</code> of its data folder, and{' '}
        <code>npm run key -- create --team NAME</code> creates another.
      </p>
    </main>
  )
}
