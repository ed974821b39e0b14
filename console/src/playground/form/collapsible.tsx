import { type ReactNode, useState } from 'react'

interface CollapsibleProps {
  className: string
  summary: ReactNode
  children: ReactNode
}

/** Renders its children when it is first opened, because they can load an editor. */
export function Collapsible({ className, summary, children }: CollapsibleProps) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={className} onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children}
    </details>
  )
}
