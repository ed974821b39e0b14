import { once } from 'node:events'
import { safeLine, safeText } from './safe-text.ts'

export interface Terminal {
  /** Standard output is a terminal that shows styles. */
  isStyled: boolean
  /** Standard output is a terminal at all. */
  isTerminal: boolean
  /** Results, on standard output. */
  print(text: string): Promise<void>
  /** A line about the work, on standard error; nothing with --quiet. Texts of others are made safe here. */
  note(text: string): void
  /** A line that also --quiet shows. */
  warn(text: string): void
  /** A line that the next one replaces, if standard error is a terminal. */
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
  const clear = () => {
    if (status !== '') stderr.write(clearLine)
  }
  const line = (text: string) => {
    clear()
    stderr.write(`${safeText(text)}\n${status}`)
  }
  return {
    isTerminal,
    isStyled: isTerminal && !isDumb && !environment.NO_COLOR,
    async print(text) {
      // Where both are the same terminal, the result must not begin behind the status.
      if (isTerminal) clear()
      if (!stdout.write(text)) await once(stdout, 'drain')
      if (isTerminal && status !== '') stderr.write(status)
    },
    note: (text) => {
      if (!isQuiet) line(text)
    },
    warn: line,
    status: showsStatus
      ? (text) => {
          clear()
          // A line that is too long would not be replaced but left standing.
          // A terminal whose width is unknown reports zero columns.
          status = cut(safeLine(text), Math.max(20, stderr.columns || 80) - 1)
          stderr.write(status)
        }
      : undefined,
  }
}

const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}…` : text)
