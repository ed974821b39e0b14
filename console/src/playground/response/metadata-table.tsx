import { isObject } from '../form/deep-equal.ts'
import { UrlLink } from './url-link.tsx'

export function MetadataTable({ metadata }: { metadata: unknown }) {
  const entries = isObject(metadata) ? Object.entries(metadata) : []
  return (
    <div className="wide">
      <table className="metadata">
        <thead className="hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {typeof value === 'string' ? (
                  <UrlLink url={value}>{value}</UrlLink>
                ) : (
                  <code>{JSON.stringify(value)}</code>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
