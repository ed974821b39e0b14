import { type ReactNode, useState } from 'react'

interface FoldProps {
  className: string
  summary: ReactNode
  children: ReactNode
}

/** What is folded away is made when it is first wanted: it may bring an editor with it. */
export function Collapsible({ className, summary, children }: FoldProps) {
  const [isWanted, setWanted] = useState(false)
  return (
    <details className={className} onToggle={({ currentTarget }) => currentTarget.open && setWanted(true)}>
      <summary>{summary}</summary>
      {isWanted && children}
    </details>
  )
}
