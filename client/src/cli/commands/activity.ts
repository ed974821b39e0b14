import type { Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printTable } from '../records.ts'
import { safeJson } from '../safe-text.ts'

const defaultLimit = 20

export const run: Run = async (context) => {
  const { winnow, terminal, values, body, signal, urlOption } = context
  const page = await winnow.activity({ limit: defaultLimit, ...body }, { signal })
  if (values.flags.has('json')) {
    await terminal.print(`${safeJson(page, 2)}\n`)
    return exitCodes.done
  }
  await printTable(context, page.data, ['id', 'endpoint', 'state', 'created_at', 'code', 'target'])
  if (page.has_more) terminal.info(`There are more: winnow activity --cursor ${page.cursor}${urlOption}`)
  return exitCodes.done
}
