import type { Run } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type Finding, findings } from '../findings.ts'
import { safeJson, safeLine } from '../safe-text.ts'

export const run: Run = async (context) => {
  const { terminal, values } = context
  const found = await findings(context)
  if (values.flags.has('json')) await terminal.print(`${safeJson(found, 2)}\n`)
  else {
    const width = Math.max(...found.map(({ part }) => part.length))
    await terminal.print(found.map((each) => `${line(each, width, terminal.isStyled)}\n`).join(''))
  }
  return codeOf(found)
}

const marks = { works: '✓', missing: '·', broken: '✗' }

function line({ part, state, note, enable }: Finding, width: number, isStyled: boolean): string {
  const way = enable === undefined || state === 'works' ? '' : ` → ${safeLine(enable)}`
  const mark = isStyled && state === 'works' ? `\x1b[1m${marks[state]}\x1b[22m` : marks[state]
  return `${mark} ${safeLine(part).padEnd(width)}  ${safeLine(note)}${way}`
}

/** What is missing is no failure: the service runs without it and says so. */
function codeOf(found: readonly Finding[]): ExitCode {
  const broken = found.find(({ state }) => state === 'broken')
  if (!broken) return exitCodes.done
  return broken.code ?? exitCodes.failed
}
