import type { Winnow } from '../winnow.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Option of a command. Help, completion, validation and the request body are derived from it. */
export interface Option {
  name: string
  short?: string
  kind: 'flag' | 'text' | 'number' | 'list'
  /** Name of the value in the help. */
  value?: string
  choices?: readonly string[]
  /**
   * Values of earlier versions. They are sent to the service, whose response contains a warning, but are not suggested.
   */
  removedChoices?: readonly string[]
  completes?: 'file' | 'folder'
  description: string
  /** Dotted path of the value in the request body. If absent, the command itself reads the value. */
  field?: string
}

export interface Argument {
  name: string
  description: string
  isOptional?: boolean
  isRepeated?: boolean
  completes?: 'file' | 'folder'
  choices?: readonly string[]
}

export interface Command {
  name: string
  summary: string
  arguments?: readonly Argument[]
  options?: readonly Option[]
  examples?: readonly string[]
  /** Subcommands, instead of `load`: `winnow browser open`. */
  commands?: readonly Command[]
  /** Loads the code when the command runs, so that other commands do not slow down the startup. */
  load?: () => Promise<{ run: Run }>
}

export type Run = (context: Context) => Promise<ExitCode>

export interface Values {
  flags: ReadonlySet<string>
  /** Flags that were disabled with `--no-…`. */
  disabledFlags: ReadonlySet<string>
  texts: ReadonlyMap<string, string>
  numbers: ReadonlyMap<string, number>
  lists: ReadonlyMap<string, readonly string[]>
}

export type Body = Record<string, unknown>

/** Context in which a command runs. */
export interface Context {
  winnow: Winnow
  /** Connection for commands that call the service without the library. */
  connection: { baseUrl: string; apiKey: string | undefined }
  terminal: Terminal
  values: Values
  /** Arguments in the order of the table. A repeated argument has several values. */
  args: readonly (readonly string[])[]
  /** Request body from flags, `--option` and `--options`. */
  body: Body
  /** All commands, from which the completion scripts are generated. */
  commands: readonly Command[]
  /** Aborts on the first Ctrl-C. */
  signal: AbortSignal
  /** Option `--url` with a leading space, for commands in messages. Empty if the user did not set it. */
  urlOption: string
}

export const argument = ({ args }: Context, index: number): string => args[index]?.[0] ?? ''
export const argumentsAt = ({ args }: Context, index: number): readonly string[] => args[index] ?? []
