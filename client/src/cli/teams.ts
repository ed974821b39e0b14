import type { OperatorTeam } from '../types.ts'
import type { Context } from './command.ts'

/** The team of a name; the service knows teams by id. */
export async function findTeam({ winnow, signal }: Context, name: string): Promise<OperatorTeam | undefined> {
  let cursor: string | null = null
  do {
    const page = await winnow.operator.teams(cursor === null ? {} : { cursor }, { signal })
    const found = page.data.find((team) => team.name === name)
    if (found) return found
    cursor = page.has_more ? page.cursor : null
  } while (cursor !== null)
  return undefined
}
