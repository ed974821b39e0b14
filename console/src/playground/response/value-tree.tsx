import type { Evidence } from './evidence-locator.tsx'

interface ValueTreeProps {
  value: unknown
  name?: string
  /** Path in the notation of the evidence: `offers.price`, `items[0].name`. */
  path: string
  evidence: Record<string, Evidence>
  chosen: string | undefined
  onChoose: (path: string) => void
}

const maxShown = 200

/** JSON value as a tree. Each scalar can be selected. */
export function ValueTree(props: ValueTreeProps) {
  const { value, name, path } = props
  if (typeof value !== 'object' || value === null) return <LeafValue {...props} />
  const entries = Object.entries(value)
  const childPath = (key: string) =>
    Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
  return (
    <details className="json-node" open>
      <summary>
        {name !== undefined && <span className="json-name">{name} </span>}
        <span className="json-count">
          {Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}
        </span>
      </summary>
      {entries.slice(0, maxShown).map(([key, child]) => (
        <ValueTree key={key} {...props} value={child} name={key} path={childPath(key)} />
      ))}
      {entries.length > maxShown && <div className="json-leaf">… {entries.length - maxShown} more</div>}
    </details>
  )
}

function LeafValue({ value, name, path, evidence, chosen, onChoose }: ValueTreeProps) {
  return (
    <div className="json-leaf">
      {name !== undefined && <span className="json-name">{name}: </span>}
      <button
        type="button"
        className={evidence[path] ? 'value known' : 'value'}
        aria-pressed={chosen === path}
        onClick={() => onChoose(path)}
      >
        {JSON.stringify(value)}
      </button>
    </div>
  )
}
