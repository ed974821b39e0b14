import { createContext, Script } from 'node:vm'
import { check } from 'recheck'

export type Verdict = 'safe' | { complexity: string; cpuMs: number }

const analysisTimeoutMs = 10_000
/** Length of the texts with which expressions are measured. */
export const attackLength = 8000

/** Returns the complexity of an expression, and the CPU time for the worst text that was found. */
export async function analyseExpression(expression: string): Promise<Verdict> {
  const end = expression.lastIndexOf('/')
  const [source, flags] = [expression.slice(1, end), expression.slice(end + 1)]
  const result = await check(source, flags.replace('v', 'u'), { timeout: analysisTimeoutMs })
  if (result.status === 'safe' && !result.complexity.isFuzz) return 'safe'
  const texts = pumpedTexts(source)
  if (result.status === 'vulnerable') {
    const { pumps, suffix } = result.attack
    const pumpLength = pumps.reduce((sum, { pump }) => sum + pump.length, 0)
    texts.push((length) => {
      const times = Math.max(1, Math.floor(length / pumpLength))
      return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
    })
  }
  const cpuMs = Math.round(Math.max(...texts.map((text) => measure(new RegExp(source, flags), text))))
  if (result.status === 'safe' && cpuMs < noticeableMs) return 'safe'
  return { complexity: result.status === 'unknown' ? 'unknown' : result.complexity.summary, cpuMs }
}

const noticeableMs = 20

/** Returns functions that repeat characters and words of the expression, followed by text that it does not match. */
function pumpedTexts(source: string): ((length: number) => string)[] {
  const literalText = source.replace(/\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\[a-zA-Z]/g, ' ').replaceAll('\\', '')
  const pumps = new Set([
    ...[' ', 'a', 'A', '0', '\n', '.', '-', '@', '<', 'a ', 'A ', '0 ', 'a.', '0.'],
    ...[...literalText].slice(0, 30),
    ...(literalText.match(/[a-z]{3,}/gi) ?? []).slice(0, 10),
  ])
  return [...pumps].map((pump) => (length) => `${pump.repeat(Math.ceil(length / pump.length))}\u0001a\n`)
}

const run = new Script("if (re.global) text.replace(re, ''); else re.exec(text)")
const maxMs = 1000
const enoughMs = 40

/**
 * Measures the CPU time in milliseconds. Shorter texts come first, so that exponential expressions end. Their time is
 * scaled up quadratically.
 */
function measure(re: RegExp, textOf: (length: number) => string): number {
  for (const length of [attackLength / 32, attackLength / 8, attackLength]) {
    const began = process.threadCpuUsage()
    let isOver = true
    try {
      run.runInContext(createContext({ re, text: textOf(length) }), { timeout: maxMs })
    } catch {
      isOver = false
    }
    const { user, system } = process.threadCpuUsage(began)
    const ms = isOver ? (user + system) / 1000 : maxMs
    if (ms > enoughMs || length === attackLength) return ms * (attackLength / length) ** 2
  }
  return 0
}
