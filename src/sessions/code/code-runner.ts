import { AppError } from '../../platform/errors.ts'
import { untilAborted } from '../../platform/functions.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import {
  type CallEnd,
  type CodeExcess,
  type CodeSandbox,
  type CodeSandboxDeps,
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

export type CodeRunner = ReturnType<typeof createCodeRunner>

/** Does not count against the time of the caller. */
const maxStartMs = 30_000
/** Pipes are read as fast as they are written. If the marker has not arrived within this time, the pipe was closed. */
const maxSettleMs = 1000
const killedExitCode = 137

export function createCodeRunner(deps: CodeSandboxDeps) {
  const runSequentially = limitConcurrency(1)
  let sandbox: Promise<CodeSandbox> | undefined
  let isStopped = false

  function getSandbox(): Promise<CodeSandbox> {
    if (sandbox) return sandbox
    const starting = startCodeSandbox(deps)
    sandbox = starting
    const clear = () => {
      if (sandbox === starting) sandbox = undefined
    }
    starting.then(({ ended }) => ended).then(clear, clear)
    return starting
  }

  async function getReadySandbox(language: Language): Promise<CodeSandbox> {
    const current = await getSandbox()
    const { stdout, stderr } = current.output(language)
    stdout.begin()
    stderr.begin()
    const failure = await withTimeout(maxStartMs, current.ready(language), 'time' as const)
    if (failure === undefined && !isStopped) return current
    await current.kill()
    const reason = stderr.take().text.slice(-1000)
    throw new AppError('CODE_NOT_STARTED', { phase: 'start', language, reason })
  }

  async function run({ code, language, timeoutMs }: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const current = await getReadySandbox(language)
    // An aborted call ends like one that is out of time; its error is thrown below.
    const response = untilAborted(current.call(language, code), signal).catch(() => 'time' as const)
    const ending = await withTimeout(timeoutMs, response, 'time' as const)
    const settle = () => current.settle(language).then(() => true)
    const isComplete =
      ending !== 'time' && ending.by !== 'sandbox' && (await withTimeout(maxSettleMs, settle(), false))
    if (!isComplete) await current.kill()
    signal.throwIfAborted()
    return toOutcome(ending, { ...current.output(language), isStopped })
  }

  return {
    /** Starts the sandbox before the first call. This saves a third of a second and costs two megabytes until then. */
    warmUp() {
      getSandbox().catch(() => {})
    },
    async run(request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
      if (request.language === 'python' && deps.programs.python === undefined) {
        throw new AppError('PYTHON_NOT_CONFIGURED', { phase: 'start' })
      }
      return runSequentially(() => run(request, signal), signal)
    },
    async stop() {
      isStopped = true
      const running = await sandbox?.catch(() => undefined)
      await running?.kill()
    },
  }
}

function toOutcome(
  ending: CallEnd | 'time',
  output: ReturnType<CodeSandbox['output']> & { isStopped: boolean },
): CodeOutcome {
  const stdout = output.stdout.take()
  const stderr = output.stderr.take()
  const response = ending !== 'time' && ending.by === 'answer' ? ending : undefined
  return {
    stdout: stdout.text,
    stderr: appendLine(stderr.text, output.isStopped ? 'The session has ended.' : getEndMessage(ending)),
    result: response?.result ?? null,
    exitCode: ending === 'time' || ending.by === 'sandbox' ? killedExitCode : ending.exitCode,
    killed: ending === 'time',
    isTruncated: stdout.isTruncated || stderr.isTruncated || response?.isTruncated === true,
  }
}

function getEndMessage(ending: CallEnd | 'time'): string {
  if (ending === 'time' || ending.by === 'answer') return ''
  if (ending.by === 'sandbox') {
    const cause = ending.exceeded ? formatExcess(ending.exceeded) : 'The code ended its own sandbox.'
    return `${cause} The variables and files of the session are lost; the page is still open.`
  }
  return ending.exitCode > 128 ? `The process was ended by signal ${ending.exitCode - 128}.` : ''
}

function formatExcess({ limit, max }: CodeExcess): string {
  return {
    memory: `The code used more memory than allowed: CODE_MEMORY_MB is ${max}.`,
    files: `The code created more files than allowed: CODE_FILES is ${max}.`,
    connections: `The code opened too many connections to its browser: CODE_CONNECTIONS is ${max}.`,
    output: `The code wrote more output than allowed: CODE_OUTPUT_MB is ${max}.`,
    messages: `The code wrote more than ${max} lines to the channel of its result.`,
  }[limit]
}

function appendLine(text: string, note: string): string {
  if (note === '') return text
  return text === '' || text.endsWith('\n') ? `${text}${note}\n` : `${text}\n${note}\n`
}

async function withTimeout<Value, Late>(
  milliseconds: number,
  work: Promise<Value>,
  fallback: Late,
): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(resolve, milliseconds, fallback)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
