import { runMcpBridge } from '../../mcp-bridge.ts'
import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

export const run: Run = async ({ connection }) => {
  const { stdin, stdout, stderr } = process
  await runMcpBridge({ ...connection, stdin, stdout, stderr })
  return exitCodes.done
}
