import { argument, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'

export const run: Run = async (context) => {
  const { winnow, signal } = context
  const session = await winnow.browserSession(argument(context, 0), { signal })
  await printRecord(context, await session.close({ signal }))
  return exitCodes.done
}
