import type { TraceStep } from '../../../client/src/types.ts'
import { formatCount, formatQuantity } from '../ui/units.ts'

type ReadStep = Extract<TraceStep, { step: 'read' }>

/** Share of the page text that was kept, and the excluded text by reason. */
export function CoverageBar({ read }: { read: ReadStep }) {
  const { pageCharacters, keptCharacters, leftOut } = read
  const percentage = (characters: number) => (pageCharacters === 0 ? 0 : (100 * characters) / pageCharacters)
  return (
    <section className="panel stack" aria-labelledby="kept">
      <h2 id="kept">Extracted share of the page</h2>
      <div className="kept-bar" aria-hidden="true">
        <span className="part kept" style={{ width: `${percentage(keptCharacters)}%` }} />
        {leftOut.map(({ reason, characters }, index) => (
          <span
            key={reason}
            className={`part out-${index % 3}`}
            style={{ width: `${percentage(characters)}%` }}
          />
        ))}
      </div>
      <ul className="plain-list kept-legend">
        <li>
          <span className="part kept" aria-hidden="true" />
          kept: {formatCount(keptCharacters)} of {formatQuantity(pageCharacters, 'character')} (
          {Math.round(percentage(keptCharacters))} %)
        </li>
        {leftOut.map(({ reason, characters, parts }, index) => (
          <li key={reason}>
            <span className={`part out-${index % 3}`} aria-hidden="true" />
            {reason}: {formatQuantity(characters, 'character')} in {formatQuantity(parts, 'part')}
          </li>
        ))}
      </ul>
    </section>
  )
}
