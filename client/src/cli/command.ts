import type { Winnow } from '../winnow.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** An option of a command. Help, completion, checks and the request are made from it. */
export interface Option {
  name: string
  short?: string
  kind: 'flag' | 'text' | 'number' | 'list'
  /** How the value is called in the help. */
  value?: string
  choices?: readonly string[]
  /** Values of earlier versions, which are sent to the service and not offered: its response has a warning about them. */
  removedChoices?: readonly string[]
  completes?: 'file' | 'folder'
  description: string
  /** Where its value goes in the request, with dots between names. Without it, the command itself reads the value. */
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
  /** Instead of `load`: `winnow browser open`. */
  commands?: readonly Command[]
  /** Loads the code when the command is run: the others cost nothing. */
  load?: () => Promise<{ run: Run }>
}

export type Run = (context: Context) => Promise<ExitCode>

export interface Values {
  flags: ReadonlySet<string>
  /** Flags that were switched off by `--no-…`. */
  off: ReadonlySet<string>
  texts: ReadonlyMap<string, string>
  numbers: ReadonlyMap<string, number>
  lists: ReadonlyMap<string, readonly string[]>
}

export type Body = Record<string, unknown>

/** What a command works with. */
export interface Context {
  winnow: Winnow
  /** For what speaks to the service without the library. */
  connection: { baseUrl: string; apiKey: string | undefined }
  terminal: Terminal
  values: Values
  /** Arguments in the order of the table; a repeated one has all of its values. */
  args: readonly (readonly string[])[]
  /** Options of the service that were given: by flags, `--option` and `--options`. */
  body: Body
  /** All of them, for what is made from the table. */
  commands: readonly Command[]
  /** Ends with the first Ctrl-C. */
  signal: AbortSignal
  /** What `--url` and `--key` were, for commands that are printed for the user to type. */
  repeat: string
}

export const argument = ({ args }: Context, index: number): string => args[index]?.[0] ?? ''
export const argumentsAt = ({ args }: Context, index: number): readonly string[] => args[index] ?? []
