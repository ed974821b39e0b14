import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { type OperatorTeam, type TeamSettings, useSetTeam } from './queries.ts'
import { createDraft, getChanges, type TeamDraft, TeamFields } from './team-fields.tsx'

/** Form that creates a team or changes its limits, credits, retention and webhook secret. */
export function TeamForm({ team, onClose }: { team?: OperatorTeam; onClose: () => void }) {
  const [draft, setDraft] = useState<TeamDraft>(() => createDraft(team))
  const saving = useSetTeam(team?.id)
  const changes = getChanges(draft, team)
  const submit = (event: FormEvent, close: () => void) => {
    event.preventDefault()
    saving.mutate(changes, {
      onSuccess: (response) => response.webhookSecret === undefined && close(),
    })
  }
  const secret = saving.data?.webhookSecret
  return (
    <Dialog title={team ? `Team ${team.name}` : 'New team'} onClose={onClose}>
      {(close) =>
        secret === undefined ? (
          <form onSubmit={(event) => submit(event, close)}>
            <TeamFields draft={draft} onChange={setDraft} {...(team ? { team } : {})} />
            {saving.error && <ErrorNotice error={saving.error} />}
            <div className="dialog-end">
              <Button onClick={close}>Cancel</Button>
              <Button
                type="submit"
                variant="main"
                isBusy={saving.isPending}
                disabled={saving.isPending || isEmpty(changes)}
              >
                {team ? 'Save' : 'Create team'}
              </Button>
            </div>
          </form>
        ) : (
          <NewSecret secret={secret} onClose={close} />
        )
      }
    </Dialog>
  )
}

function isEmpty(changes: TeamSettings): boolean {
  return Object.keys(changes).length === 0
}

function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <Notice kind="warning">This secret is shown only once. Receivers verify signatures with it.</Notice>
      <code className="secret">{secret}</code>
      <div className="dialog-end">
        <Copy text={secret} name="Copy secret" />
        <Button variant="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
