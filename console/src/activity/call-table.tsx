import { Link } from '@tanstack/react-router'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatShortDateTime } from '../ui/units.ts'
import { kindName } from './call-filters.tsx'
import type { Call } from './calls.ts'

export function CallTable({ calls }: { calls: Call[] }) {
  return (
    <table className="call-table panel">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Target</th>
          <th scope="col">State</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ id, endpoint, target, state, code, created_at: createdAt }) => (
          <tr key={id}>
            <td className="call-kind">{kindName(endpoint)}</td>
            <td className="call-target">
              <Link to="/activity/$id" params={{ id }}>
                {target ?? missingTargetText(endpoint)}
              </Link>
            </td>
            <td className="call-state">
              {state !== undefined && <StateBadge state={state} />}{' '}
              {code !== undefined && <code>{code}</code>}
            </td>
            <td className="call-time">
              <time dateTime={createdAt}>{formatShortDateTime(createdAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the text for a call without a stored URL. Browser sessions have no URL. */
const missingTargetText = (endpoint: string) => (endpoint === 'browser' ? 'session' : 'URL not stored')
