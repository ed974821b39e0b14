import { argument, type Run } from '../command.ts'
import { getCode, printExecution } from '../execution.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, values, body, signal, urlOption } = context
  const id = argument(context, 0)
  const hasCode = argument(context, 1) !== '' || values.texts.has('file') || 'code' in body
  if (values.flags.has('stop')) {
    if (hasCode || 'prompt' in body)
      throw new UsageError('--stop ends the browser: give it no code and no prompt.')
    await printRecord(context, await winnow.stopInteract(id, { signal }))
    return exitCodes.done
  }
  if (hasCode && 'prompt' in body) throw new UsageError('Give code or --prompt, not both.')
  const options = 'prompt' in body ? body : { ...body, code: await getCode(context, argument(context, 1)) }
  const result = await winnow.interact(id, options, { signal })
  terminal.info(`The browser stays open. End it: winnow interact ${id} --stop${urlOption}`)
  return printExecution(context, result)
}
