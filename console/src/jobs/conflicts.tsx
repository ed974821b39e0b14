import type { Conflict } from '../../../client/src/types.ts'
import { Icon } from '../ui/icon.tsx'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

/** Values on which pages disagree, with what each says. */
export function Conflicts({ conflicts }: { conflicts: Conflict[] }) {
  return (
    <section className="panel stack" aria-labelledby="conflicts">
      <h2 id="conflicts">Conflicts between pages</h2>
      {conflicts.map((conflict) => (
        <OneConflict key={conflict.path} conflict={conflict} />
      ))}
    </section>
  )
}

function OneConflict({ conflict: { path, chosen, values } }: { conflict: Conflict }) {
  const used = JSON.stringify(chosen)
  return (
    <div className="conflict">
      <h3>
        <code>{path}</code>
      </h3>
      <ul className="plain-list">
        {values.map(({ value, sources, text }) => {
          const shown = JSON.stringify(value)
          const isTaken = shown === used
          return (
            <li key={shown} className={isTaken ? 'used' : undefined}>
              <strong>{shown}</strong>{' '}
              {isTaken && (
                <span className="badge good">
                  <Icon name="check" /> used
                </span>
              )}
              {text !== undefined && <q className="quiet">{text}</q>}
              {sources.map((url) => (
                <div key={url}>
                  <UntrustedLink href={url} />
                </div>
              ))}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
