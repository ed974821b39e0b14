import { AppError } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import {
  type CodeExcess,
  type CodeSandbox,
  type CodeSandboxDeps,
  type Ending,
  type Language,
  startCodeSandbox,
} from './code-sandbox.ts'

export interface CodeRequest {
  code: string
  language: Language
  timeoutMs: number
}

export interface CodeOutcome {
  stdout: string
  stderr: string
  result: string | null
  exitCode: number | null
  killed: boolean
  isTruncated: boolean
}

export interface CodeRunner {
  /** Starts the sandbox before the first call: this saves a third of a second and costs two megabytes until then. */
  warmUp(): void
  /** One call at a time per session; others wait their turn. Throws AppError 503 if a language is not available. */
  run(order: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>
  stop(): Promise<void>
}

/** The start does not count as the caller's time, so it has its own limit. */
const maxStartMs = 30_000
/** Pipes are read as fast as they are written; if the mark has not arrived by then, the pipe was closed. */
const maxSettleMs = 1000
const killedCode = 137

/** Runs code of the callers of one session, in a sandbox that starts with the first call. */
export function createCodeRunner(deps: CodeSandboxDeps): CodeRunner {
  const inOrder = limitConcurrency(1)
  let sandbox: Promise<CodeSandbox> | undefined
  let isStopped = false

  function livingSandbox(): Promise<CodeSandbox> {
    if (sandbox) return sandbox
    const starting = startCodeSandbox(deps)
    sandbox = starting
    const forget = () => {
      if (sandbox === starting) sandbox = undefined
    }
    starting.then(({ ended }) => ended).then(forget, forget)
    return starting
  }

  async function withRunner(language: Language): Promise<CodeSandbox> {
    const current = await livingSandbox()
    const { stdout, stderr } = current.output(language)
    stdout.begin()
    stderr.begin()
    const obstacle = await within(maxStartMs, current.ready(language), 'time' as const)
    if (obstacle === undefined && !isStopped) return current
    await current.kill()
    throw new AppError('CODE_NOT_STARTED', {
      phase: 'start',
      language,
      reason: stderr.take().text.slice(-1000),
    })
  }

  async function run({ code, language, timeoutMs }: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const current = await withRunner(language)
    const ending = await within(timeoutMs, orAborted(current.call(language, code), signal), 'time' as const)
    const isWhole =
      typeof ending === 'object' && ending.by !== 'sandbox' && (await settled(current, language))
    if (!isWhole) await current.kill()
    signal.throwIfAborted()
    return outcomeOf(ending === 'aborted' ? 'time' : ending, { ...current.output(language), isStopped })
  }

  return {
    warmUp() {
      // The first call gets the same error and reports it.
      livingSandbox().catch(() => {})
    },
    async run(order, signal) {
      if (order.language === 'python' && deps.programs.python === undefined) {
        throw new AppError('PYTHON_NOT_CONFIGURED', { phase: 'start' })
      }
      return inOrder(() => run(order, signal), signal)
    },
    async stop() {
      isStopped = true
      const living = await sandbox?.catch(() => undefined)
      await living?.kill()
    },
  }
}

async function settled(sandbox: CodeSandbox, language: Language): Promise<boolean> {
  const settling = sandbox.settle(language).then(() => true)
  return within(maxSettleMs, settling, false)
}

function outcomeOf(
  ending: Ending | 'time',
  output: ReturnType<CodeSandbox['output']> & { isStopped: boolean },
): CodeOutcome {
  const stdout = output.stdout.take()
  const stderr = output.stderr.take()
  const answer = ending !== 'time' && ending.by === 'answer' ? ending : undefined
  return {
    stdout: stdout.text,
    stderr: joined(stderr.text, output.isStopped ? 'The session has ended.' : noteOn(ending)),
    result: answer?.result ?? null,
    exitCode: ending === 'time' || ending.by === 'sandbox' ? killedCode : ending.exitCode,
    killed: ending === 'time',
    isTruncated: stdout.isTruncated || stderr.isTruncated || answer?.isTruncated === true,
  }
}

/** The message that the code itself could not write. */
function noteOn(ending: Ending | 'time'): string {
  if (ending === 'time' || ending.by === 'answer') return ''
  if (ending.by === 'sandbox') {
    const why = ending.exceeded ? excessOf(ending.exceeded) : 'The code ended its own sandbox.'
    return `${why} The variables and files of the session are lost; the page is still open.`
  }
  return ending.exitCode > 128 ? `The process was ended by signal ${ending.exitCode - 128}.` : ''
}

/** Names the setting, if there is one, and its value. */
function excessOf({ limit, most }: CodeExcess): string {
  return {
    memory: `The code used more memory than allowed: CODE_MEMORY_MB is ${most}.`,
    files: `The code created more files than allowed: CODE_FILES is ${most}.`,
    connections: `The code opened too many connections to its browser: CODE_CONNECTIONS is ${most}.`,
    output: `The code wrote more output than allowed: CODE_OUTPUT_MB is ${most}.`,
    messages: `The code wrote more than ${most} lines to the channel of its result.`,
  }[limit]
}

function joined(text: string, note: string): string {
  if (note === '') return text
  return text === '' || text.endsWith('\n') ? `${text}${note}\n` : `${text}\n${note}\n`
}

async function within<Value, Late>(
  milliseconds: number,
  work: Promise<Value>,
  otherwise: Late,
): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(resolve, milliseconds, otherwise)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | 'aborted'> {
  const { promise, resolve } = Promise.withResolvers<'aborted'>()
  const leave = () => resolve('aborted')
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
