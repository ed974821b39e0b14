import type { FetchPlan } from '../fetch-plan.ts'
import type { Verdict } from '../verdict.ts'

/** A way to turn a fetch plan into a page. */
export interface Engine {
  name: string
  /** Whether it could serve this plan at all. */
  suits(plan: FetchPlan): boolean
  fetch(plan: FetchPlan, signal: AbortSignal): Promise<Verdict>
}
