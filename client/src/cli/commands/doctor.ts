import type { Run } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { checkHealth, type Finding } from '../findings.ts'
import { safeJson, safeLine } from '../safe-text.ts'

export const run: Run = async (context) => {
  const { terminal, values } = context
  const results = await checkHealth(context)
  if (values.flags.has('json')) await terminal.print(`${safeJson(results, 2)}\n`)
  else {
    const width = Math.max(...results.map(({ part }) => part.length))
    await terminal.print(
      results.map((finding) => `${formatFinding(finding, width, terminal.isStyled)}\n`).join(''),
    )
  }
  return toExitCode(results)
}

const symbols = { works: '✓', missing: '·', broken: '✗' }

function formatFinding({ part, state, note, enable }: Finding, width: number, isStyled: boolean): string {
  const fix = enable === undefined || state === 'works' ? '' : ` → ${safeLine(enable)}`
  const symbol = isStyled && state === 'works' ? `\x1b[1m${symbols[state]}\x1b[22m` : symbols[state]
  return `${symbol} ${safeLine(part).padEnd(width)}  ${safeLine(note)}${fix}`
}

/** Returns the exit code. A missing part is not a failure, because the service runs without it. */
function toExitCode(results: readonly Finding[]): ExitCode {
  const broken = results.find(({ state }) => state === 'broken')
  if (!broken) return exitCodes.done
  return broken.code ?? exitCodes.failed
}
