import { argument, type Run } from '../command.ts'
import { codeOf, printExecution } from '../execution.ts'

export const run: Run = async (context) => {
  const { winnow, body, signal } = context
  const code = await codeOf(context, argument(context, 1))
  const session = await winnow.browserSession(argument(context, 0), { signal })
  return printExecution(context, await session.execute(code, body, { signal }))
}
