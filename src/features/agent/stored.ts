import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { conflicts } from '../multi-page/read-pages.ts'
import { agentRequest } from './schema.ts'

const inputColumn = { table: 'jobs', column: 'input' } as const

export const stepKind = 'agent_step'
export const endKind = 'agent_end'

export const agentInput = storedJson(
  inputColumn,
  z.object({
    request: storedShape(z.object(agentRequest.shape).omit({ webhook: true })),
    threadId: z.string(),
    threadTurn: z.number(),
    price: z.number(),
    mostLiving: z.number(),
    warnings: z.array(z.string()),
  }),
)

export type AgentInput = ReturnType<typeof agentInput.read>

/** Stored input of a step. Step 0 is the plan. */
export const stepInput = storedJson(inputColumn, z.object({ step: z.number() }))
export type StepInput = ReturnType<typeof stepInput.read>

const stopReason = z.enum(['credit_limit_reached', 'step_limit', 'model'])
export type StopReason = z.output<typeof stopReason>

export const endInput = storedJson(
  inputColumn,
  z.object({
    stopReason: stopReason.optional(),
    warnings: z.array(z.string()),
    /** URLs of the pages whose values are used, chosen by the model; all pages if absent. */
    sources: z.array(z.string()).optional(),
    answer: z.string().optional(),
  }),
)

export type EndInput = ReturnType<typeof endInput.read>

export interface RequestedPage {
  id: string
  url: string
  task?: string
}

export interface StepResult {
  step: number
  action: 'plan' | 'search' | 'discover' | 'scrape' | 'browse' | 'done' | 'none'
  text: string
  call?: { id: string; name: string; arguments: Record<string, unknown>; signature?: string }
  /** Text returned to the model. Untrusted text is fenced when the conversation is built. */
  observation?: string
  ordered: RequestedPage[]
  refused?: { url: string; reason: string }[]
  /** Schema of the values; only in the plan. */
  schema?: Record<string, unknown>
}

export interface EndResult {
  data?: unknown
  message?: string
  sources: Record<string, string[]>
  conflicts: NonNullable<z.output<typeof conflicts>>
  warnings: string[]
  stopReason?: StopReason
}
