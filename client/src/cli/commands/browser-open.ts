import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, body, signal, urlOption } = context
  const { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt } = await winnow.openBrowser(body, {
    signal,
  })
  await printRecord(context, { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt })
  terminal.info(
    `Run code in it: winnow browser run ${id} CODE${urlOption}. End it: winnow browser close ${id}${urlOption}`,
  )
  return exitCodes.done
}
