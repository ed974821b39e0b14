import type { TraceStep } from '../../../client/src/types.ts'
import { counted, formatCount } from '../ui/units.ts'

type ReadStep = Extract<TraceStep, { step: 'read' }>

/** How much of the text of a page was kept, and why the rest was not. */
export function CoverageBar({ read }: { read: ReadStep }) {
  const { pageCharacters, keptCharacters, leftOut } = read
  const share = (characters: number) => (pageCharacters === 0 ? 0 : (100 * characters) / pageCharacters)
  return (
    <section className="panel stack" aria-labelledby="kept">
      <h2 id="kept">Extracted share of the page</h2>
      <div className="kept-bar" aria-hidden="true">
        <span className="part kept" style={{ width: `${share(keptCharacters)}%` }} />
        {leftOut.map(({ reason, characters }, index) => (
          <span key={reason} className={`part out-${index % 3}`} style={{ width: `${share(characters)}%` }} />
        ))}
      </div>
      <ul className="plain-list kept-legend">
        <li>
          <span className="part kept" aria-hidden="true" />
          kept: {formatCount(keptCharacters)} of {counted(pageCharacters, 'character')} (
          {Math.round(share(keptCharacters))} %)
        </li>
        {leftOut.map(({ reason, characters, parts }, index) => (
          <li key={reason}>
            <span className={`part out-${index % 3}`} aria-hidden="true" />
            {reason}: {counted(characters, 'character')} in {counted(parts, 'part')}
          </li>
        ))}
      </ul>
    </section>
  )
}
