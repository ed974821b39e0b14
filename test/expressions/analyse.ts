import { createContext, Script } from 'node:vm'
import { check } from 'recheck'

export type Verdict = 'safe' | { complexity: string; cpuMs: number }

const analysisTimeoutMs = 10_000
/** Length of the texts that expressions are measured with. */
export const attackLength = 8000

/** Returns how an expression grows with its text, and the processor time for the worst text that was found. */
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

/** Characters and words of the expression itself, repeated, with an end that it does not match. */
function pumpedTexts(source: string): ((length: number) => string)[] {
  const written = source.replace(/\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\[a-zA-Z]/g, ' ').replaceAll('\\', '')
  const pumps = new Set([
    ...[' ', 'a', 'A', '0', '\n', '.', '-', '@', '<', 'a ', 'A ', '0 ', 'a.', '0.'],
    ...[...written].slice(0, 30),
    ...(written.match(/[a-z]{3,}/gi) ?? []).slice(0, 10),
  ])
  return [...pumps].map((pump) => (length) => `${pump.repeat(Math.ceil(length / pump.length))}\u0001a\n`)
}

const run = new Script("if (re.global) text.replace(re, ''); else re.exec(text)")
const mostMs = 1000
const enoughMs = 40

/** Shorter texts come first, so that exponential time ends; their time is scaled up as if it were quadratic. */
function measure(re: RegExp, textOf: (length: number) => string): number {
  for (const length of [attackLength / 32, attackLength / 8, attackLength]) {
    const began = process.threadCpuUsage()
    let isOver = true
    try {
      run.runInContext(createContext({ re, text: textOf(length) }), { timeout: mostMs })
    } catch {
      isOver = false
    }
    const { user, system } = process.threadCpuUsage(began)
    const ms = isOver ? (user + system) / 1000 : mostMs
    if (ms > enoughMs || length === attackLength) return ms * (attackLength / length) ** 2
  }
  return 0
}
