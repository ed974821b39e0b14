import type { Winnow } from '../winnow.ts'
import type { Values } from './command.ts'
import type { Body } from './request.ts'
import type { Terminal } from './terminal.ts'

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
  /** Ends with the first Ctrl-C. */
  signal: AbortSignal
  /** What `--url` and `--key` were, for commands that are printed for the user to type. */
  repeat: string
}

export const argument = ({ args }: Context, index: number): string => args[index]?.[0] ?? ''
export const argumentsAt = ({ args }: Context, index: number): readonly string[] => args[index] ?? []
