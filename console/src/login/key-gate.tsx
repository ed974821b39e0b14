import { type ReactNode, useEffect, useState } from 'react'
import { setKey, useKey } from '../api/key.ts'
import { request } from '../api/request.ts'
import { Failure } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { Login } from './login.tsx'

/** Asks for a key where there is none. A link of the start screen carries a code that stands for it once. */
export function KeyGate({ children }: { children: ReactNode }) {
  const key = useKey()
  const [code] = useState(codeInAddress)
  const [failed, setFailed] = useState<unknown>()
  useEffect(() => {
    if (code === undefined) return
    request<{ key: string }>('POST', '/v2/console/key', { body: { code } })
      .then((answer) => setKey(answer.key))
      .catch(setFailed)
  }, [code])
  if (key !== undefined) return children
  if (code !== undefined && failed === undefined) return <Loading what="Signing in" />
  return <Login>{failed !== undefined && <Failure error={failed} />}</Login>
}

/** The code is taken out of the address, where it would stay in the history. */
function codeInAddress(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}
