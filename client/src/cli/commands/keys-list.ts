import type { OperatorKey } from '../../types.ts'
import type { Context, Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printTable } from '../records.ts'
import { findTeam } from '../teams.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const keys: OperatorKey[] = []
  for await (const key of listKeys(context)) keys.push(key)
  const rows = keys.map(({ team, revokedAt, ...key }) => ({
    ...key,
    team: team.name,
    kind: key.isOperator ? 'operator' : 'team',
    state: revokedAt === null ? 'valid' : 'revoked',
  }))
  await printTable(context, rows, ['id', 'hint', 'team', 'kind', 'state', 'createdAt', 'lastUsedAt'])
  return exitCodes.done
}

async function* listKeys(context: Context): AsyncGenerator<OperatorKey> {
  const { winnow, values, signal } = context
  const name = values.texts.get('team')
  const team = name === undefined ? undefined : await findTeam(context, name)
  if (name !== undefined && !team)
    throw new UsageError(`There is no team "${name}". Without --team all are listed.`)
  let cursor: string | null = null
  do {
    const query = { ...(team ? { teamId: team.id } : {}), ...(cursor === null ? {} : { cursor }) }
    const page = await winnow.operator.keys(query, { signal })
    yield* page.data
    cursor = page.has_more ? page.cursor : null
  } while (cursor !== null)
}
