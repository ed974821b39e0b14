import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/page.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { NewKey } from './new-key.tsx'
import { type OperatorKey, useKeys, useRevokeKey } from './queries.ts'

export function Keys({ ownHint }: { ownHint: string | null }) {
  const { data, error, isPending } = useKeys()
  const [isCreating, setCreating] = useState(false)
  const [showsRevoked, setShowsRevoked] = useState(false)
  const revoked = data?.rows.filter((key) => key.revokedAt !== null).length ?? 0
  const shown = data?.rows.filter((key) => showsRevoked || key.revokedAt === null)
  return (
    <section className="panel stack" aria-labelledby="keys">
      <div className="page-head panel-head">
        <h2 id="keys">Keys</h2>
        <div className="row">
          {revoked > 0 && (
            <Checkbox name={`Show ${revoked} revoked`} isOn={showsRevoked} onChange={setShowsRevoked} />
          )}
          <Button icon="add" onClick={() => setCreating(true)}>
            New key
          </Button>
        </div>
      </div>
      {isPending && <Loading label="Loading keys" />}
      {error && <ErrorNotice error={error} />}
      {shown && <KeyTable keys={shown} ownHint={ownHint} />}
      {data?.isTruncated && <p className="quiet">Only the first {data.rows.length} keys are shown.</p>}
      {isCreating && <NewKey onClose={() => setCreating(false)} />}
    </section>
  )
}

function KeyTable({ keys, ownHint }: { keys: OperatorKey[]; ownHint: string | null }) {
  return (
    <TableFrame name="Table of keys">
      <thead>
        <tr>
          {['Key', 'Team', 'Role', 'Created', 'Last used'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">
            <span className="hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} isOwn={key.hint === ownHint} />
        ))}
      </tbody>
    </TableFrame>
  )
}

function KeyRow({ apiKey, isOwn }: { apiKey: OperatorKey; isOwn: boolean }) {
  const revoke = useRevokeKey()
  return (
    <tr>
      <th scope="row">
        <code>{apiKey.hint}</code> {isOwn && <span className="badge">same prefix as yours</span>}
      </th>
      <td>{apiKey.team.name}</td>
      <td>{apiKey.isOperator ? <span className="badge busy">operator</span> : 'API'}</td>
      <td>
        <Moment at={apiKey.createdAt} />
      </td>
      <td>
        <Moment at={apiKey.lastUsedAt} />
      </td>
      <td>
        {apiKey.revokedAt === null ? (
          <ConfirmButton
            name="Revoke"
            fullName={`Revoke the key ${apiKey.hint} of ${apiKey.team.name}`}
            title={`Revoke the key ${apiKey.hint}?`}
            onConfirm={() => revoke(apiKey.id)}
          >
            <p>
              Calls of team {apiKey.team.name} with this key start to fail within a second. This cannot be
              undone.
              {isOwn && ' This may be the key of this console.'}
            </p>
          </ConfirmButton>
        ) : (
          <span className="quiet">
            revoked <Moment at={apiKey.revokedAt} />
          </span>
        )}
      </td>
    </tr>
  )
}
