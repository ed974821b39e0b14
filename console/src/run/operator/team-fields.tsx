import { useId } from 'react'
import { Check, Field } from '../../ui/field.tsx'
import type { OperatorTeam, TeamSettings } from './queries.ts'

/** What stands in the form, as it is typed. */
export interface TeamWish {
  name: string
  credits: string
  isUnlimited: boolean
  concurrency: string
  zeroDataRetention: boolean
  webhookSecret: '' | 'new' | 'off'
}

export function wishFor(team: OperatorTeam | undefined): TeamWish {
  return {
    name: team?.name ?? '',
    credits: '',
    isUnlimited: team?.unlimited ?? false,
    concurrency: team === undefined || team.hasDefaultConcurrency ? '' : String(team.concurrency),
    zeroDataRetention: team?.zeroDataRetention ?? false,
    webhookSecret: '',
  }
}

/** Only what differs from what the team has is sent. */
export function changesOf(wish: TeamWish, team: OperatorTeam | undefined): TeamSettings {
  const before = wishFor(team)
  const credits = wish.isUnlimited ? '' : wish.credits
  return {
    ...(team ? {} : { name: wish.name.trim() }),
    ...(credits === '' ? {} : { credits: Number(credits) }),
    ...(wish.isUnlimited === before.isUnlimited ? {} : { unlimited: wish.isUnlimited }),
    ...(wish.concurrency === before.concurrency
      ? {}
      : { concurrency: wish.concurrency === '' ? null : Number(wish.concurrency) }),
    ...(wish.zeroDataRetention === before.zeroDataRetention
      ? {}
      : { zeroDataRetention: wish.zeroDataRetention }),
    ...(wish.webhookSecret === '' ? {} : { webhookSecret: wish.webhookSecret }),
  }
}

interface TeamFieldsProps {
  wish: TeamWish
  team?: OperatorTeam
  onChange: (wish: TeamWish) => void
}

export function TeamFields({ wish, team, onChange }: TeamFieldsProps) {
  const change = (part: Partial<TeamWish>) => onChange({ ...wish, ...part })
  return (
    <>
      {!team && (
        <Field
          name="Name"
          required
          maxLength={100}
          value={wish.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      )}
      <Check
        name="No limit of credits"
        isOn={wish.isUnlimited}
        onChange={(isUnlimited) => change({ isUnlimited })}
      />
      {!wish.isUnlimited && (
        <Field
          name={team ? 'Credits to add' : 'First credits'}
          hint={team ? 'Empty: none are added.' : 'Empty: what the installation gives a new team.'}
          type="number"
          min={1}
          value={wish.credits}
          onChange={(event) => change({ credits: event.target.value })}
        />
      )}
      <Field
        name="Jobs at once"
        hint="Empty: as many as the installation gives every team."
        type="number"
        min={1}
        value={wish.concurrency}
        onChange={(event) => change({ concurrency: event.target.value })}
      />
      <Check
        name="Calls may ask for zero data retention"
        isOn={wish.zeroDataRetention}
        onChange={(zeroDataRetention) => change({ zeroDataRetention })}
      />
      {team && <WebhookSecret wish={wish} signs={team.signsWebhooks} onChange={change} />}
    </>
  )
}

function WebhookSecret({
  wish,
  signs,
  onChange,
}: {
  wish: TeamWish
  signs: boolean
  onChange: (part: Partial<TeamWish>) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Secret that webhooks are signed with</label>
      <select
        id={id}
        value={wish.webhookSecret}
        onChange={(event) => onChange({ webhookSecret: event.target.value as TeamWish['webhookSecret'] })}
      >
        <option value="">{signs ? 'Leave it as it is' : 'None of its own'}</option>
        <option value="new">{signs ? 'Make a new one; the old one stops working' : 'Make one'}</option>
        {signs && <option value="off">Take it away</option>}
      </select>
    </div>
  )
}
