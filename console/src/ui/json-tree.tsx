import { useState } from 'react'

const maxShown = 200

/** JSON value as an expandable tree. The first two levels are open. */
export function JsonTree({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const [isOpen, setOpen] = useState(depth < 2)
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-leaf">
        {name !== undefined && <span className="json-name">{name}: </span>}
        <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const entries = Object.entries(value)
  const brackets = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <details className="json-node" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name !== undefined && <span className="json-name">{name} </span>}
        <span className="json-count">{brackets}</span>
      </summary>
      {isOpen &&
        entries
          .slice(0, maxShown)
          .map(([key, child]) => <JsonTree key={key} name={key} value={child} depth={depth + 1} />)}
      {isOpen && entries.length > maxShown && (
        <div className="json-leaf">… {entries.length - maxShown} more</div>
      )}
    </details>
  )
}
