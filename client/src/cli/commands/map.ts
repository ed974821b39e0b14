import { argument, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeAtomically } from '../output/atomic-file.ts'
import { getTarget } from '../output/target.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, values, body, signal } = context
  const target = getTarget(context)
  if (target.kind === 'folder') throw new UsageError('A map is one list. Name a file: --output urls.txt')
  const map = await winnow.map(argument(context, 0), body, { signal })
  if (map.warning) terminal.info(`Warning: ${map.warning}`)
  const text = values.flags.has('json')
    ? `${safeJson(map, 2)}\n`
    : map.links.map(({ url }) => `${safeLine(url)}\n`).join('')
  if (target.kind === 'file') await writeAtomically(target.path, text)
  else await terminal.print(text)
  terminal.info(
    `${map.links.length} addresses.${target.kind === 'file' ? ` Written to ${target.path}.` : ''}`,
  )
  return exitCodes.done
}
