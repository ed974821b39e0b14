import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { agentRequest } from './schema.ts'

const input = { table: 'jobs', column: 'input' } as const

export const stepKind = 'agent_step'
export const endKind = 'agent_end'

/** The record of an agent: what was asked, and its place in its thread. */
export const agentInput = storedJson(
  input,
  z.object({
    request: storedShape(z.object(agentRequest.shape).omit({ webhook: true })),
    threadId: z.string(),
    threadTurn: z.number(),
    /** The most that a page can cost. */
    price: z.number(),
    mostLiving: z.number(),
    warnings: z.array(z.string()),
  }),
)

export type AgentInput = ReturnType<typeof agentInput.read>

/** Step 0 is the plan. */
export const stepInput = storedJson(input, z.object({ step: z.number() }))
export type StepInput = ReturnType<typeof stepInput.read>

const stopReason = z.enum(['credit_limit_reached', 'step_limit', 'model'])
export type StopReason = z.output<typeof stopReason>

/** How the run ends: by the word of the model, or because it had to stop. */
export const endInput = storedJson(
  input,
  z.object({
    stopReason: stopReason.optional(),
    warnings: z.array(z.string()),
    /** The pages that the model wants to be used; all where it names none. */
    sources: z.array(z.string()).optional(),
    answer: z.string().optional(),
  }),
)

export type EndInput = ReturnType<typeof endInput.read>

/** A page that a step wants to be read, by the job with this id. */
export interface RequestedPage {
  id: string
  url: string
  /** What is done on it before, in words. */
  task?: string
}

/** What a step did. */
export interface StepResult {
  step: number
  action: 'plan' | 'search' | 'discover' | 'scrape' | 'browse' | 'done' | 'none'
  /** What the model said, in its own words and as a call. */
  text: string
  call?: { id: string; name: string; arguments: Record<string, unknown>; signature?: string }
  /** What the model reads about it. Text of others is fenced when it is shown. */
  observation?: string
  /** The pages that were ordered. */
  ordered: RequestedPage[]
  /** Addresses that are not fetched, with the reason. */
  refused?: { url: string; reason: string }[]
  /** Of the plan. */
  schema?: Record<string, unknown>
}

export interface EndResult {
  data?: unknown
  message?: string
  sources: Record<string, string[]>
  conflicts: unknown[]
  warnings: string[]
  stopReason?: StopReason
}
