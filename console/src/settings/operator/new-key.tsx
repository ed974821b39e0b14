import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { useCreateKey, useTeams } from './queries.ts'

export function NewKey({ onClose }: { onClose: () => void }) {
  const creation = useCreateKey()
  return (
    <Dialog title={creation.data ? 'New key' : 'Create key'} onClose={onClose}>
      {(close) =>
        creation.data ? (
          <>
            <Notice kind="warning">
              This key of team {creation.data.data.team.name} is shown only once.
            </Notice>
            <code className="secret">{creation.data.key}</code>
            <div className="dialog-end">
              <Copy text={creation.data.key} name="Copy key" />
              <Button variant="main" onClick={close}>
                Done
              </Button>
            </div>
          </>
        ) : (
          <KeyForm creation={creation} onCancel={close} />
        )
      }
    </Dialog>
  )
}

function KeyForm({
  creation,
  onCancel,
}: {
  creation: ReturnType<typeof useCreateKey>
  onCancel: () => void
}) {
  const id = useId()
  const teams = useTeams().data?.rows ?? []
  const [chosen, setChosen] = useState<string>()
  const [operator, setOperator] = useState(false)
  const teamId = chosen ?? teams[0]?.id
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (teamId !== undefined) creation.mutate({ teamId, operator })
  }
  return (
    <form onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>Team</label>
        <select id={id} value={teamId} onChange={(event) => setChosen(event.target.value)}>
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </select>
      </div>
      <Checkbox name="Operator key: can manage all teams and keys" isOn={operator} onChange={setOperator} />
      {creation.error && <ErrorNotice error={creation.error} />}
      <div className="dialog-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant="main"
          isBusy={creation.isPending}
          disabled={creation.isPending || teamId === undefined}
        >
          Create key
        </Button>
      </div>
    </form>
  )
}
