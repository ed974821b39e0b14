import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { type OperatorTeam, type TeamSettings, useSetTeam } from './queries.ts'
import { changesOf, draftFor, type TeamDraft, TeamFields } from './team-fields.tsx'

/** Makes a team, or changes one: limits, credits, retention, the secret of its webhooks. */
export function TeamForm({ team, onClose }: { team?: OperatorTeam; onClose: () => void }) {
  const [draft, setDraft] = useState<TeamDraft>(() => draftFor(team))
  const setting = useSetTeam(team?.id)
  const changes = changesOf(draft, team)
  const submit = (event: FormEvent, close: () => void) => {
    event.preventDefault()
    setting.mutate(changes, {
      onSuccess: (answer) => answer.webhookSecret === undefined && close(),
    })
  }
  const secret = setting.data?.webhookSecret
  return (
    <Dialog title={team ? `Team ${team.name}` : 'New team'} onClose={onClose}>
      {(close) =>
        secret === undefined ? (
          <form onSubmit={(event) => submit(event, close)}>
            <TeamFields draft={draft} onChange={setDraft} {...(team ? { team } : {})} />
            {setting.error && <Failure error={setting.error} />}
            <div className="dialog-end">
              <Button onClick={close}>Cancel</Button>
              <Button
                type="submit"
                look="main"
                isBusy={setting.isPending}
                disabled={setting.isPending || isEmpty(changes)}
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
        <Button look="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
