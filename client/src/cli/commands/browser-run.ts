import { argument, type Run } from '../command.ts'
import { getCode, printExecution } from '../execution.ts'

export const run: Run = async (context) => {
  const { winnow, body, signal } = context
  const code = await getCode(context, argument(context, 1))
  const session = await winnow.browserSession(argument(context, 0), { signal })
  return printExecution(context, await session.execute(code, body, { signal }))
}
