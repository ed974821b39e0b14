import type { OperatorTeam } from '../../types.ts'
import type { Context, Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { findTeam } from '../teams.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, values, signal } = context
  const team = await findOrCreateTeam(context)
  const operator = values.flags.has('operator')
  const { key, facts } = await winnow.operator.createKey(team.id, { operator }, { signal })
  await terminal.print(
    values.flags.has('json') ? `${safeJson({ key, ...facts }, 2)}\n` : `${safeLine(key)}\n`,
  )
  terminal.info(
    `A key of the team "${team.name}". It is not shown again; winnow keys revoke ${facts.id} ends it.`,
  )
  return exitCodes.done
}

async function findOrCreateTeam(context: Context): Promise<OperatorTeam> {
  const { winnow, values, signal } = context
  const name = values.texts.get('team')
  if (name === undefined) throw new UsageError('Say for which team: --team NAME')
  const team = await findTeam(context, name)
  if (team) return team
  if (values.flags.has('new-team')) return winnow.operator.createTeam(name, {}, { signal })
  throw new UsageError(`There is no team "${name}". Add --new-team to make it.`)
}
