import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, body, signal, repeat } = context
  const { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt } = await winnow.openBrowser(body, {
    signal,
  })
  await printRecord(context, { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt })
  terminal.note(
    `Run code in it: winnow browser run ${id} CODE${repeat}. End it: winnow browser close ${id}${repeat}`,
  )
  return exitCodes.done
}
