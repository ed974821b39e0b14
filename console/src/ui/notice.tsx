import type { ReactNode } from 'react'
import { WinnowError } from '../api/request.ts'
import { Icon } from './icon.tsx'

type Kind = 'error' | 'warning' | 'info'

export function Notice({ kind = 'info', children }: { kind?: Kind; children: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {kind !== 'info' && <Icon name="warn" />}
      <div>{children}</div>
    </div>
  )
}

/** Error message with its code and its hint. */
export function ErrorNotice({ error, children }: { error: unknown; children?: ReactNode }) {
  const hint = error instanceof WinnowError ? error.hint : undefined
  return (
    <Notice kind="error">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof WinnowError && <code>{error.code}</code>}
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </Notice>
  )
}
