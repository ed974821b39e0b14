import { useId } from 'react'
import { Check, Field } from '../../ui/field.tsx'
import type { OperatorTeam, TeamSettings } from './queries.ts'

/** What stands in the form, as it is typed. */
export interface TeamDraft {
  name: string
  credits: string
  isUnlimited: boolean
  concurrency: string
  zeroDataRetention: boolean
  searchIndex: boolean
  webhookSecret: '' | 'new' | 'off'
}

export function draftFor(team: OperatorTeam | undefined): TeamDraft {
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

/** Only what differs from what the team has is sent. */
export function changesOf(draft: TeamDraft, team: OperatorTeam | undefined): TeamSettings {
  const before = draftFor(team)
  const credits = draft.isUnlimited ? '' : draft.credits
  return {
    ...(team ? {} : { name: draft.name.trim() }),
    ...(credits === '' ? {} : { credits: Number(credits) }),
    ...(draft.isUnlimited === before.isUnlimited ? {} : { unlimited: draft.isUnlimited }),
    ...(draft.concurrency === before.concurrency
      ? {}
      : { concurrency: draft.concurrency === '' ? null : Number(draft.concurrency) }),
    ...(draft.zeroDataRetention === before.zeroDataRetention
      ? {}
      : { zeroDataRetention: draft.zeroDataRetention }),
    ...(draft.searchIndex === before.searchIndex ? {} : { searchIndex: draft.searchIndex }),
    ...(draft.webhookSecret === '' ? {} : { webhookSecret: draft.webhookSecret }),
  }
}

interface TeamFieldsProps {
  draft: TeamDraft
  team?: OperatorTeam
  onChange: (draft: TeamDraft) => void
}

export function TeamFields({ draft, team, onChange }: TeamFieldsProps) {
  const change = (part: Partial<TeamDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      {!team && (
        <Field
          name="Name"
          required
          maxLength={100}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      )}
      <Check
        name="Unlimited credits"
        isOn={draft.isUnlimited}
        onChange={(isUnlimited) => change({ isUnlimited })}
      />
      {!draft.isUnlimited && (
        <Field
          name={team ? 'Credits to add' : 'Initial credits'}
          hint={team ? 'Leave empty to add none.' : 'Leave empty for the default of the installation.'}
          type="number"
          min={1}
          value={draft.credits}
          onChange={(event) => change({ credits: event.target.value })}
        />
      )}
      <Field
        name="Concurrency"
        hint="Leave empty for the default of the installation."
        type="number"
        min={1}
        value={draft.concurrency}
        onChange={(event) => change({ concurrency: event.target.value })}
      />
      <Check
        name="Allow zero data retention"
        isOn={draft.zeroDataRetention}
        onChange={(zeroDataRetention) => change({ zeroDataRetention })}
      />
      <Check
        name="Index stored pages for search"
        isOn={draft.searchIndex}
        onChange={(searchIndex) => change({ searchIndex })}
      />
      {team?.searchIndex && !draft.searchIndex && (
        <p className="hint">Saving removes all pages of this team from the search index.</p>
      )}
      {team && <WebhookSecret draft={draft} signs={team.signsWebhooks} onChange={change} />}
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
  signs,
  onChange,
}: {
  draft: TeamDraft
  signs: boolean
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
        <option value="">{signs ? 'Keep the current secret' : 'No separate secret'}</option>
        <option value="new">
          {signs ? 'Create a new secret; the old one stops working' : 'Create a secret'}
        </option>
        {signs && <option value="off">Remove secret</option>}
      </select>
    </div>
  )
}
