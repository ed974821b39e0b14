import { Link } from '@tanstack/react-router'
import type { JobTrace } from '../../../client/src/types.ts'
import { Notice } from '../ui/notice.tsx'
import { formatCount, formatQuantity } from '../ui/units.ts'

type Pages = NonNullable<JobTrace['pages']>

/** Page counts of a crawl or a batch by state, and the reasons for skipped and failed pages. */
export function ParentPages({ pages }: { pages: Pages }) {
  const { queued, running, completed, failed, cancelled, skipped, errors, notes } = pages
  const counts = Object.entries({ queued, running, completed, failed, cancelled }).filter(
    ([, count]) => count > 0,
  )
  return (
    <section className="panel stack" aria-labelledby="pages">
      <h2 id="pages">Pages</h2>
      <ul className="plain-list row">
        {counts.map(([state, count]) => (
          <li key={state}>
            {formatCount(count)} {state}
          </li>
        ))}
        {Object.entries(skipped).map(([reason, count]) => (
          <li key={reason} className="quiet">
            {formatCount(count)} skipped: {reason}
          </li>
        ))}
      </ul>
      {errors.length > 0 && (
        <ul className="plain-list">
          {errors.map(({ code, count, id }) => (
            <li key={code}>
              <code>{code}</code> {formatQuantity(count, 'page')},{' '}
              <Link to="/activity/$id" params={{ id }}>
                example
              </Link>
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
    </section>
  )
}
