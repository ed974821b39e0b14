import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { hashKey, hintOf, newKey } from '../accounts/authenticate.ts'
import { createLog } from '../base/log.ts'
import { openStore } from '../compose/store.ts'
import type { Settings } from '../settings.ts'
import { appendEntries, balanceOf, limitTeam } from '../store/credits.ts'
import type { Store } from '../store/schema.ts'
import { addKey, changeTeam, createTeam, findTeamByName, listKeys, revokeKey } from '../store/teams.ts'

const usage = `Keys, teams and credits:
  npm run key -- create --team NAME                        a new key; makes the team if there is none
  npm run key -- list                                      all keys, by their first characters
  npm run key -- revoke --id ID                            the key stops working within a second
  npm run key -- grant --team NAME --credits N             adds credits; a team without limit gets one
  npm run key -- show --team NAME                          the balance of a team
  npm run key -- set --team NAME [--concurrency N] [--zero-retention on|off]
                           [--webhook-secret SECRET|new|off]
`

export async function key(settings: Settings, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      team: { type: 'string' },
      id: { type: 'string' },
      credits: { type: 'string' },
      concurrency: { type: 'string' },
      'zero-retention': { type: 'string' },
      'webhook-secret': { type: 'string' },
    },
  })
  const log = createLog({ ...settings.log, level: 'error' })
  const { store } = await openStore(settings, log)
  try {
    const say = await act(store, settings, positionals[0] ?? '', values)
    process.stdout.write(`${say}\n`)
  } finally {
    await store.close()
  }
}

type Values = Partial<
  Record<'team' | 'id' | 'credits' | 'concurrency' | 'zero-retention' | 'webhook-secret', string>
>

async function act(store: Store, settings: Settings, verb: string, values: Values): Promise<string> {
  switch (verb) {
    case 'create':
      return create(store, settings, needed(values, 'team'))
    case 'list':
      return list(store)
    case 'revoke':
      return (await revokeKey(store.query, needed(values, 'id'), Date.now()))
        ? 'Revoked.'
        : 'No active key has this id.'
    case 'grant':
      return grant(store, needed(values, 'team'), wholeNumber(needed(values, 'credits'), 'credits'))
    case 'show':
      return show(store, needed(values, 'team'))
    case 'set':
      return change(store, values)
    default:
      throw new UsageError(usage)
  }
}

export class UsageError extends Error {}

async function create(store: Store, settings: Settings, name: string): Promise<string> {
  const now = Date.now()
  const made = newKey()
  await store.transaction(async (transaction) => {
    const credits = settings.limits.teamCredits
    let team = await findTeamByName(transaction, name)
    if (!team) {
      team = await createTeam(transaction, { name, balance: credits === undefined ? null : 0, now })
      if (credits !== undefined) {
        const entry = { teamId: team.id, keyId: null, jobId: null, credits, reason: 'first grant', now }
        await appendEntries(transaction, [entry])
      }
    }
    await addKey(transaction, { teamId: team.id, hash: hashKey(made), hint: hintOf(made), now })
  })
  return `${made}\n\nThis is the key of team "${name}". It is shown once: only its hash is stored.`
}

async function list(store: Store): Promise<string> {
  const rows = await listKeys(store.query)
  if (rows.length === 0) return 'There is no key yet. npm run key -- create --team NAME makes one.'
  return rows
    .map((row) => {
      const ended = row.revoked_at === null ? '' : `  revoked ${new Date(row.revoked_at).toISOString()}`
      return `${row.id}  ${row.hint}  ${row.team}  since ${new Date(row.created_at).toISOString()}${ended}`
    })
    .join('\n')
}

async function grant(store: Store, name: string, credits: number): Promise<string> {
  const team = await teamNamed(store, name)
  const now = Date.now()
  await store.transaction(async (transaction) => {
    if (team.balance === null) await limitTeam(transaction, team.id, now)
    await appendEntries(transaction, [
      {
        teamId: team.id,
        keyId: null,
        jobId: null,
        credits,
        reason: 'grant',
        now,
      },
    ])
  })
  return show(store, name)
}

async function show(store: Store, name: string): Promise<string> {
  const balance = await balanceOf(store.query, (await teamNamed(store, name)).id)
  return balance === null ? `Team "${name}" has no limit.` : `Team "${name}" has ${balance} credits.`
}

async function change(store: Store, values: Values): Promise<string> {
  const team = await teamNamed(store, needed(values, 'team'))
  const retention = values['zero-retention']
  if (retention !== undefined && retention !== 'on' && retention !== 'off') throw new UsageError(usage)
  const secret = secretOf(values['webhook-secret'])
  const changes = {
    ...(values.concurrency === undefined
      ? {}
      : { concurrency: wholeNumber(values.concurrency, 'concurrency') }),
    ...(retention === undefined ? {} : { zero_retention: retention === 'on' ? 1 : 0 }),
    ...(secret === undefined ? {} : { webhook_secret: secret }),
  }
  if (Object.keys(changes).length === 0) throw new UsageError(usage)
  await changeTeam(store.query, team.id, changes)
  const shown = values['webhook-secret'] === 'new' ? ` Its webhooks are signed with ${secret}.` : ''
  return `Team "${team.name}" changed.${shown}`
}

/** Null: webhooks are no longer signed. */
function secretOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  if (text === 'off') return null
  if (text === 'new') return randomBytes(24).toString('base64url')
  if (text.length < 16) throw new UsageError('--webhook-secret has at least 16 characters.')
  return text
}

async function teamNamed(store: Store, name: string) {
  const team = await findTeamByName(store.query, name)
  if (!team)
    throw new UsageError(`There is no team "${name}". npm run key -- create --team ${name} makes it.`)
  return team
}

function needed(values: Values, name: keyof Values): string {
  const value = values[name]
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.\n\n${usage}`)
  return value
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,12}$/.test(text) || Number(text) < 1)
    throw new UsageError(`--${name} must be a whole number above 0.`)
  return Number(text)
}
