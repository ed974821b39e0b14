import type { Conflict } from '../../../client/src/types.ts'
import { Icon } from '../ui/icon.tsx'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

/** Fields for which pages state different values, with each value and its sources. */
export function Conflicts({ conflicts }: { conflicts: Conflict[] }) {
  return (
    <section className="panel stack" aria-labelledby="conflicts">
      <h2 id="conflicts">Conflicts between pages</h2>
      {conflicts.map((conflict) => (
        <ConflictItem key={conflict.path} conflict={conflict} />
      ))}
    </section>
  )
}

function ConflictItem({ conflict: { path, chosen, values } }: { conflict: Conflict }) {
  const chosenJson = JSON.stringify(chosen)
  return (
    <div className="conflict">
      <h3>
        <code>{path}</code>
      </h3>
      <ul className="plain-list">
        {values.map(({ value, sources, text }) => {
          const valueJson = JSON.stringify(value)
          const isChosen = valueJson === chosenJson
          return (
            <li key={valueJson} className={isChosen ? 'used' : undefined}>
              <strong>{valueJson}</strong>{' '}
              {isChosen && (
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
