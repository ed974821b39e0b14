import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printTable } from '../records.ts'

export const run: Run = async (context) => {
  const { winnow, body, signal } = context
  const sessions = await winnow.listBrowsers(body, { signal })
  await printTable(context, sessions, ['id', 'status', 'createdAt', 'lastActivity'])
  return exitCodes.done
}
