import { parseArgs } from 'node:util'
import { issueKey, revokeKeyOrThrow } from '../../accounts/keys.ts'
import { changeAccount, createWebhookSecret, insertTeamWithCredits } from '../../accounts/team-account.ts'
import { AppError } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { getBalance } from '../../store/credits.ts'
import { listKeys } from '../../store/keys.ts'
import type { KeyRow, Store, TeamRow } from '../../store/schema.ts'
import { getSigningSecret } from '../../store/secrets.ts'
import { findTeamByName } from '../../store/teams.ts'
import type { Settings } from '../settings.ts'
import { openStore } from '../store.ts'

const usage = `Keys, teams and credits:
  npm run key -- create --team NAME [--operator]           a new key; makes the team if there is none; an
                                                           operator's key may change accounts through the API
  npm run key -- list                                      all keys, by their first characters
  npm run key -- revoke --id ID                            the key stops working within a second
  npm run key -- grant --team NAME --credits N             adds credits; a team without limit gets one
  npm run key -- show --team NAME                          the balance of a team, and the secret that is
                                                           derived from WEBHOOK_SECRET for it
  npm run key -- set --team NAME [--concurrency N] [--zero-retention on|off]
                           [--search-index on|off] [--webhook-secret SECRET|new|off]
`

const options = {
  team: { type: 'string' },
  id: { type: 'string' },
  operator: { type: 'boolean' },
  credits: { type: 'string' },
  concurrency: { type: 'string' },
  'zero-retention': { type: 'string' },
  'search-index': { type: 'string' },
  'webhook-secret': { type: 'string' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

export async function key(settings: Settings, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const log = createLog({ ...settings.log, level: 'error' })
  const { store } = await openStore(settings, log)
  try {
    const runSubcommand = subcommands.get(positionals[0] ?? '')
    if (!runSubcommand) throw new UsageError(usage)
    process.stdout.write(`${await runSubcommand(store, values, settings)}\n`)
  } finally {
    await store.close()
  }
}

const subcommands = new Map<string, (store: Store, values: Values, settings: Settings) => Promise<string>>([
  ['create', createKey],
  ['list', listAllKeys],
  ['revoke', revokeKey],
  ['grant', grantCredits],
  ['show', showTeam],
  ['set', changeTeam],
])

export class UsageError extends Error {}

async function createKey(store: Store, values: Values, { limits }: Settings): Promise<string> {
  const name = requireOption(values, 'team')
  const isOperator = values.operator === true
  const now = Date.now()
  const { key: newKey } = await store.transaction(async (transaction) => {
    const team =
      (await findTeamByName(transaction, name)) ??
      (await insertTeamWithCredits(transaction, { name, credits: limits.teamCredits, now }))
    return issueKey(transaction, { teamId: team.id, isOperator, now })
  })
  const description = isOperator ? 'an operator’s key, of team' : 'the key of team'
  return `${newKey}\n\nThis is ${description} "${name}". It is shown once: only its hash is stored.`
}

const keysPerPage = 1000

async function listAllKeys(store: Store): Promise<string> {
  const lines: string[] = []
  for (let after: string | undefined; ; ) {
    const rows = await listKeys(store.query, { after, limit: keysPerPage })
    lines.push(...rows.map(formatKey))
    after = rows.at(-1)?.id
    if (rows.length < keysPerPage) break
  }
  return lines.length === 0
    ? 'There is no key yet. npm run key -- create --team NAME makes one.'
    : lines.join('\n')
}

function formatKey(row: KeyRow & { team: string }): string {
  const since = `since ${new Date(row.created_at).toISOString()}`
  const role = row.is_operator === 1 ? ['operator'] : []
  const revoked = row.revoked_at === null ? [] : [`revoked ${new Date(row.revoked_at).toISOString()}`]
  return [row.id, row.hint, row.team, since, ...role, ...revoked].join('  ')
}

async function revokeKey(store: Store, values: Values): Promise<string> {
  const id = requireOption(values, 'id')
  try {
    await revokeKeyOrThrow(store, id, Date.now())
  } catch (thrown) {
    throw thrown instanceof AppError ? new UsageError(thrown.message) : thrown
  }
  return 'Revoked.'
}

async function grantCredits(store: Store, values: Values, settings: Settings): Promise<string> {
  const name = requireOption(values, 'team')
  const credits = parseWholeNumber(requireOption(values, 'credits'), 'credits')
  const team = await requireTeam(store, name)
  await changeAccount(store, team.id, { credits, now: Date.now() })
  return showTeam(store, values, settings)
}

async function showTeam(store: Store, values: Values, settings: Settings): Promise<string> {
  const name = requireOption(values, 'team')
  const team = await requireTeam(store, name)
  const balance = await getBalance(store.query, team.id)
  const credits = balance === null ? `Team "${name}" has no limit.` : `Team "${name}" has ${balance} credits.`
  return `${credits}\n${await describeSigning(store, settings, team)}`
}

/** A derived secret can be shown at any time; the team's own was shown when it was created. */
async function describeSigning(store: Store, settings: Settings, team: TeamRow): Promise<string> {
  const signing = await getSigningSecret(store.query, team.id, settings.webhooks.secret)
  if (signing === undefined) return 'Its webhooks are not signed.'
  if (signing.source === 'own') return 'Its webhooks are signed with its own secret.'
  return signing.source === 'shared'
    ? 'Its webhooks are signed with WEBHOOK_SECRET, because it is the first team.'
    : `Its webhooks are signed with ${signing.secret}, which is derived from WEBHOOK_SECRET.`
}

async function changeTeam(store: Store, values: Values): Promise<string> {
  const team = await requireTeam(store, requireOption(values, 'team'))
  const secret = toSecret(values['webhook-secret'])
  const changes = {
    ...(values.concurrency === undefined
      ? {}
      : { concurrency: parseWholeNumber(values.concurrency, 'concurrency') }),
    ...toSwitch(values['zero-retention'], 'zero_retention'),
    ...toSwitch(values['search-index'], 'search_index'),
    ...(secret === undefined ? {} : { webhook_secret: secret }),
  }
  if (Object.keys(changes).length === 0) throw new UsageError(usage)
  await changeAccount(store, team.id, { ...changes, now: Date.now() })
  const secretText = values['webhook-secret'] === 'new' ? ` Its webhooks are signed with ${secret}.` : ''
  return `Team "${team.name}" changed.${secretText}`
}

function toSwitch<Column extends string>(text: string | undefined, column: Column) {
  if (text === undefined) return {}
  if (text !== 'on' && text !== 'off') throw new UsageError(usage)
  return { [column]: text === 'on' ? 1 : 0 }
}

function toSecret(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  if (text === 'off') return null
  if (text === 'new') return createWebhookSecret()
  if (text.length < 16) throw new UsageError('--webhook-secret has at least 16 characters.')
  return text
}

async function requireTeam(store: Store, name: string) {
  const team = await findTeamByName(store.query, name)
  if (!team)
    throw new UsageError(`There is no team "${name}". npm run key -- create --team ${name} makes it.`)
  return team
}

function requireOption(values: Values, name: Exclude<keyof Values, 'operator'>): string {
  const value = values[name]
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.\n\n${usage}`)
  return value
}

function parseWholeNumber(text: string, name: string): number {
  if (!/^\d{1,12}$/.test(text) || Number(text) < 1)
    throw new UsageError(`--${name} must be a whole number above 0.`)
  return Number(text)
}
