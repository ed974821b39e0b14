import { argument, type Command, type Option, type Run } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { exitCodes } from '../exit-codes.ts'
import { generalOptions } from '../options.ts'

const shells: Record<string, (table: readonly Command[], general: readonly Option[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export const run: Run = async (context) => {
  const script = shells[argument(context, 0)]?.(context.commands, generalOptions) ?? ''
  await context.terminal.print(script)
  return exitCodes.done
}
