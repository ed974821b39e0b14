import { argument, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'

export const run: Run = async (context) => {
  const id = argument(context, 0)
  await context.winnow.operator.revokeKey(id, { signal: context.signal })
  await printRecord(context, { id, state: 'revoked' })
  return exitCodes.done
}
