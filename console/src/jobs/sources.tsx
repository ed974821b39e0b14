import { formatCount } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

const maxShown = 300

/** The pages that state each value. */
export function Sources({ sources }: { sources: Record<string, string[]> }) {
  const entries = Object.entries(sources)
  return (
    <section className="panel stack" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Source pages</th>
            </tr>
          </thead>
          <tbody>
            {entries.slice(0, maxShown).map(([path, urls]) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>
                  {urls.map((url) => (
                    <div key={url}>
                      <UntrustedLink href={url} />
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {entries.length > maxShown && (
        <p className="quiet">{formatCount(entries.length - maxShown)} more fields are in the response.</p>
      )}
    </section>
  )
}
