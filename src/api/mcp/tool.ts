import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { boundedInteger } from '../../platform/bounded.ts'
import type { InProcessRequest } from '../call-endpoint.ts'
import type { Endpoint } from '../endpoint.ts'

export interface ToolCall<Input> {
  input: Input
  call(endpoint: Endpoint, request: InProcessRequest): Promise<unknown>
  signal: AbortSignal
  progress(done: number, total: number, message: string): void
  holdFile<Result>(bytes: number, use: () => Promise<Result>): Promise<Result>
  fence(text: string): string
}

export interface ToolResult {
  text: string
  /** The text as structured data for programs, if it is always short. */
  structured?: Record<string, unknown>
  isError?: boolean
}

type ToolHints = Required<Omit<ToolAnnotations, 'title'>>

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  hints: ToolHints
  input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult>
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  // The cast is safe: each tool only receives values parsed by its own schema.
  return tool as unknown as Tool
}

export const readsOnly: ToolHints = {
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}
/** Fetches pages. Changes only credits and cache of the caller. */
export const readsWeb: ToolHints = { ...readsOnly, idempotentHint: false, openWorldHint: true }
/** Like `readsWeb`, but in the background: the work continues after the response until it is done or cancelled. */
export const startsReading: ToolHints = { ...readsWeb, readOnlyHint: false }
export const actsOnWeb: ToolHints = { ...startsReading, destructiveHint: true }
export const ends: ToolHints = { ...readsOnly, readOnlyHint: false, destructiveHint: true }

/** About ten thousand tokens of English. */
export const defaultCharacters = 40_000

export const maxCharacters = boundedInteger('MAX_MCP_CHARACTERS', 500)
  .default(defaultCharacters)
  .describe('Most characters of page text in the answer; the answer says how to read on.')

/** Returns the field for the maximum wait. Clients time out after a minute by default. */
export const waitSeconds = (defaultSeconds: number) =>
  boundedInteger('MAX_MCP_WAIT_SECONDS', 0)
    .default(defaultSeconds)
    .describe('Seconds to wait for the end. What is ready by then is returned; job_status reads on.')
