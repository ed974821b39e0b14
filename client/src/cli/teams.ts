import type { OperatorTeam } from '../types.ts'
import type { Context } from './command.ts'

/** Finds a team by its name. The service identifies teams by id, so all teams are listed. */
export async function findTeam({ winnow, signal }: Context, name: string): Promise<OperatorTeam | undefined> {
  let cursor: string | null = null
  do {
    const page = await winnow.operator.teams(cursor === null ? {} : { cursor }, { signal })
    const match = page.data.find((team) => team.name === name)
    if (match) return match
    cursor = page.has_more ? page.cursor : null
  } while (cursor !== null)
  return undefined
}
