import type { TracedUrl } from '../../../client/src/types.ts'
import { formatQuantity } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

const maxShown = 300

/** URLs that an extract checked, with the status of each. */
export function TracedUrls({ urls }: { urls: TracedUrl[] }) {
  return (
    <details className="panel">
      <summary>{formatQuantity(urls.length, 'page')} checked</summary>
      <ul className="plain-list error-list">
        {urls.slice(0, maxShown).map(({ url, status, error, usedInCompletion }) => (
          <li key={url}>
            <UntrustedLink href={url} />{' '}
            <span className={status === 'error' ? 'badge bad' : 'badge'}>{status}</span>{' '}
            {usedInCompletion && <span className="badge good">used</span>}
            {error !== undefined && <p>{error}</p>}
          </li>
        ))}
      </ul>
      {urls.length > maxShown && (
        <p className="quiet">The first {maxShown} pages are shown. The response contains all of them.</p>
      )}
    </details>
  )
}
