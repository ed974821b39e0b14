import { once } from 'node:events'
import { safeLine, safeText } from './safe-text.ts'

export interface Terminal {
  /** True if standard output is a terminal that supports styles. */
  isStyled: boolean
  /** True if standard output is a terminal. */
  isTerminal: boolean
  /** Prints results to standard output. */
  print(text: string): Promise<void>
  /** Prints a line to standard error, unless --quiet is set. Replaces control characters of untrusted text. */
  info(text: string): void
  /** Prints a line to standard error, also with --quiet. */
  warn(text: string): void
  /**
   * Shows a status line that the next call replaces. Undefined if standard error is not a terminal, or with --quiet.
   */
  status: ((text: string) => void) | undefined
}

export interface TerminalDeps {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  environment: NodeJS.ProcessEnv
  isQuiet: boolean
}

const clearLine = '\r\x1b[K'

export function openTerminal({ stdout, stderr, environment, isQuiet }: TerminalDeps): Terminal {
  const isDumb = environment.TERM === 'dumb'
  const isTerminal = stdout.isTTY === true
  let status = ''
  const showsStatus = stderr.isTTY === true && !isDumb && !isQuiet
  const clearStatus = () => {
    if (status !== '') stderr.write(clearLine)
  }
  const writeLine = (text: string) => {
    clearStatus()
    stderr.write(`${safeText(text)}\n${status}`)
  }
  return {
    isTerminal,
    isStyled: isTerminal && !isDumb && !environment.NO_COLOR,
    async print(text) {
      // If both streams share a terminal, the result must not start after the status text.
      if (isTerminal) clearStatus()
      if (!stdout.write(text)) await once(stdout, 'drain')
      if (isTerminal && status !== '') stderr.write(status)
    },
    info: (text) => {
      if (!isQuiet) writeLine(text)
    },
    warn: writeLine,
    status: showsStatus
      ? (text) => {
          clearStatus()
          // The line is truncated, because a line that wraps cannot be replaced.
          // A terminal whose width is unknown reports zero columns.
          status = truncate(safeLine(text), Math.max(20, stderr.columns || 80) - 1)
          stderr.write(status)
        }
      : undefined,
  }
}

const truncate = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text
