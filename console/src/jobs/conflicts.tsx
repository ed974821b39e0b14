import type { Conflict } from '../../../client/src/types.ts'
import { Icon } from '../ui/icon.tsx'
import { StrangerLink } from '../ui/stranger-link.tsx'

/** Values on which pages disagree, with what each says. */
export function Conflicts({ conflicts }: { conflicts: Conflict[] }) {
  return (
    <section className="panel stack" aria-labelledby="conflicts">
      <h2 id="conflicts">Where pages disagree</h2>
      {conflicts.map((conflict) => (
        <OneConflict key={conflict.path} conflict={conflict} />
      ))}
    </section>
  )
}

function OneConflict({ conflict: { path, chosen, values } }: { conflict: Conflict }) {
  const taken = JSON.stringify(chosen)
  return (
    <div className="conflict">
      <h3>
        <code>{path}</code>
      </h3>
      <ul className="plain-list">
        {values.map(({ value, sources, text }) => {
          const shown = JSON.stringify(value)
          const isTaken = shown === taken
          return (
            <li key={shown} className={isTaken ? 'taken' : undefined}>
              <strong>{shown}</strong>{' '}
              {isTaken && (
                <span className="badge good">
                  <Icon name="check" /> taken
                </span>
              )}
              {text !== undefined && <q className="quiet">{text}</q>}
              {sources.map((url) => (
                <div key={url}>
                  <StrangerLink href={url} />
                </div>
              ))}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
