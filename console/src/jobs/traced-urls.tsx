import type { TracedUrl } from '../../../client/src/types.ts'
import { counted } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

const maxShown = 300

/** What became of each address of an extract. */
export function TracedUrls({ urls }: { urls: TracedUrl[] }) {
  return (
    <details className="panel">
      <summary>{counted(urls.length, 'page')} checked</summary>
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
    </details>
  )
}
