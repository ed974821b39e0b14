import { type ReactNode, useEffect, useState } from 'react'
import { setKey, useKey } from '../api/key.ts'
import { request } from '../api/request.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { Login } from './login.tsx'

/**
 * Shows the login form if no key is stored. The link that the service prints on startup carries a one-time login
 * code.
 */
export function KeyGate({ children }: { children: ReactNode }) {
  const key = useKey()
  const [code] = useState(takeCodeFromUrl)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (code === undefined) return
    request<{ key: string }>('POST', '/v2/console/key', { body: { code } })
      .then((response) => setKey(response.key))
      .catch(setError)
  }, [code])
  if (key !== undefined) return children
  if (code !== undefined && error === undefined) return <Loading label="Signing in" />
  return <Login>{error !== undefined && <ErrorNotice error={error} />}</Login>
}

/** Returns the login code from the URL and removes it, so that it does not stay in the browser history. */
function takeCodeFromUrl(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}
