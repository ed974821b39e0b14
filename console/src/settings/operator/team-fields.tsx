import { useId } from 'react'
import { Checkbox, Field } from '../../ui/field.tsx'
import type { OperatorTeam, TeamSettings } from './queries.ts'

/** Values of the form fields, as typed. */
export interface TeamDraft {
  name: string
  credits: string
  isUnlimited: boolean
  concurrency: string
  zeroDataRetention: boolean
  searchIndex: boolean
  webhookSecret: '' | 'new' | 'off'
}

export function createDraft(team: OperatorTeam | undefined): TeamDraft {
  return {
    name: team?.name ?? '',
    credits: '',
    isUnlimited: team?.unlimited ?? false,
    concurrency: team === undefined || team.hasDefaultConcurrency ? '' : String(team.concurrency),
    zeroDataRetention: team?.zeroDataRetention ?? false,
    searchIndex: team?.searchIndex ?? true,
    webhookSecret: '',
  }
}

/** Returns only the settings that differ from those of the team. */
export function getChanges(draft: TeamDraft, team: OperatorTeam | undefined): TeamSettings {
  const initial = createDraft(team)
  const credits = draft.isUnlimited ? '' : draft.credits
  return {
    ...(team ? {} : { name: draft.name.trim() }),
    ...(credits === '' ? {} : { credits: Number(credits) }),
    ...(draft.isUnlimited === initial.isUnlimited ? {} : { unlimited: draft.isUnlimited }),
    ...(draft.concurrency === initial.concurrency
      ? {}
      : { concurrency: draft.concurrency === '' ? null : Number(draft.concurrency) }),
    ...(draft.zeroDataRetention === initial.zeroDataRetention
      ? {}
      : { zeroDataRetention: draft.zeroDataRetention }),
    ...(draft.searchIndex === initial.searchIndex ? {} : { searchIndex: draft.searchIndex }),
    ...(draft.webhookSecret === '' ? {} : { webhookSecret: draft.webhookSecret }),
  }
}

interface TeamFieldsProps {
  draft: TeamDraft
  team?: OperatorTeam
  onChange: (draft: TeamDraft) => void
}

export function TeamFields({ draft, team, onChange }: TeamFieldsProps) {
  const update = (changes: Partial<TeamDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      {!team && (
        <Field
          name="Name"
          required
          maxLength={100}
          value={draft.name}
          onChange={(event) => update({ name: event.target.value })}
        />
      )}
      <Checkbox
        name="Unlimited credits"
        isOn={draft.isUnlimited}
        onChange={(isUnlimited) => update({ isUnlimited })}
      />
      {!draft.isUnlimited && (
        <Field
          name={team ? 'Credits to add' : 'Initial credits'}
          hint={team ? 'Leave empty to add none.' : 'Leave empty for the default of the installation.'}
          type="number"
          min={1}
          value={draft.credits}
          onChange={(event) => update({ credits: event.target.value })}
        />
      )}
      <Field
        name="Concurrency"
        hint="Leave empty for the default of the installation."
        type="number"
        min={1}
        value={draft.concurrency}
        onChange={(event) => update({ concurrency: event.target.value })}
      />
      <Checkbox
        name="Allow zero data retention"
        isOn={draft.zeroDataRetention}
        onChange={(zeroDataRetention) => update({ zeroDataRetention })}
      />
      <Checkbox
        name="Index stored pages for search"
        isOn={draft.searchIndex}
        onChange={(searchIndex) => update({ searchIndex })}
      />
      {team?.searchIndex && !draft.searchIndex && (
        <p className="hint">Saving removes all pages of this team from the search index.</p>
      )}
      {team && <WebhookSecret draft={draft} hasSecret={team.signsWebhooks} onChange={update} />}
      {team?.derivedWebhookSecret && (
        <p className="hint">
          Webhooks of this team are signed with a secret that is derived from WEBHOOK_SECRET:{' '}
          <code className="secret">{team.derivedWebhookSecret}</code>
        </p>
      )}
    </>
  )
}

function WebhookSecret({
  draft,
  hasSecret,
  onChange,
}: {
  draft: TeamDraft
  hasSecret: boolean
  onChange: (part: Partial<TeamDraft>) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Webhook signing secret</label>
      <select
        id={id}
        value={draft.webhookSecret}
        onChange={(event) => onChange({ webhookSecret: event.target.value as TeamDraft['webhookSecret'] })}
      >
        <option value="">{hasSecret ? 'Keep the current secret' : 'No separate secret'}</option>
        <option value="new">
          {hasSecret ? 'Create a new secret; the old one stops working' : 'Create a secret'}
        </option>
        {hasSecret && <option value="off">Remove secret</option>}
      </select>
    </div>
  )
}
