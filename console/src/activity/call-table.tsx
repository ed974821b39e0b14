import { Link } from '@tanstack/react-router'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatShortMoment } from '../ui/units.ts'
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
                {target ?? nameless(endpoint)}
              </Link>
            </td>
            <td className="call-state">
              {state !== undefined && <StateBadge state={state} />}{' '}
              {code !== undefined && <code>{code}</code>}
            </td>
            <td className="call-time">
              <time dateTime={createdAt}>{formatShortMoment(createdAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A browser has no address of its own; that of another call was not to be kept. */
const nameless = (endpoint: string) => (endpoint === 'browser' ? 'session' : 'URL not stored')
