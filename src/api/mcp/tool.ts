import type { z } from 'zod'
import { whole } from '../../platform/bounded.ts'
import type { InnerCall } from '../call-endpoint.ts'
import type { Endpoint } from '../endpoint.ts'

/** What a tool is run with. */
export interface ToolCall<Input> {
  input: Input
  /** Calls an endpoint as the team of the caller, and answers what HTTP would send. */
  call(endpoint: Endpoint, sent: InnerCall): Promise<unknown>
  /** Aborts when the caller cancels or has gone, and when the service stops. */
  signal: AbortSignal
  /** Tells a client that asked for it how far the work is. */
  progress(done: number, total: number, message: string): void
  /** Reserves disk space for a file of the caller's team while `use` runs. */
  holdFile<Result>(bytes: number, use: () => Promise<Result>): Promise<Result>
  /** Marks text of strangers as such. */
  fence(text: string): string
}

export interface ToolResult {
  text: string
  /** The same for programs, where it is short by nature. */
  structured?: Record<string, unknown>
  /** The run itself failed, and the text says how. */
  isError?: boolean
}

/** What clients may show or decide by, beside what a tool does. */
export interface ToolHints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** Whether it reaches out to the web. */
  openWorldHint: boolean
}

/** A tool is a value: its list entry, its validation and its documentation are derived from it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  /** For a model: what it does, when to use it, what comes back. */
  description: string
  hints: ToolHints
  input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult>
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  // The list holds tools of many inputs; each only ever meets values that its own schema made.
  return tool as unknown as Tool
}

/** Reads what this service has; the same call gives the same. */
export const readsOnly: ToolHints = {
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}
/** Fetches pages and changes nothing but the account and the cache of the caller. */
export const readsWeb: ToolHints = { ...readsOnly, idempotentHint: false, openWorldHint: true }
/** The same in the background: the work goes on after the answer, until it is done or cancelled. */
export const startsReading: ToolHints = { ...readsWeb, readOnlyHint: false }
/** Acts on the web: what a click or a script does there is up to its author. */
export const actsOnWeb: ToolHints = {
  ...readsOnly,
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
}
/** Ends something of the caller's; ending it again changes nothing. */
export const ends: ToolHints = { ...readsOnly, readOnlyHint: false, destructiveHint: true }

/** About ten thousand tokens of English. */
export const defaultCharacters = 40_000

export const maxCharacters = whole('MAX_MCP_CHARACTERS', 500)
  .default(defaultCharacters)
  .describe('Most characters of page text in the answer; the answer says how to read on.')

/** Clients give up after a minute unless told otherwise. */
export const waitSeconds = (usual: number) =>
  whole('MAX_MCP_WAIT_SECONDS', 0)
    .default(usual)
    .describe('Seconds to wait for the end. What is ready by then is returned; job_status reads on.')
