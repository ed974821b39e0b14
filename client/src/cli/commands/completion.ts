import type { Run } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { argument } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { generalOptions } from '../options.ts'
import { commands } from '../table.ts'

const shells: Record<string, (table: typeof commands, general: typeof generalOptions) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export const run: Run = async (context) => {
  const script = shells[argument(context, 0)]?.(commands, generalOptions) ?? ''
  await context.terminal.print(script)
  return exitCodes.done
}
