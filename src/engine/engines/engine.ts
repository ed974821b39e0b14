import type { Deadline } from '../../base/deadline.ts'
import type { FetchOutcome } from '../fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from '../fetch-plan.ts'

/** Turns a fetch plan into a page. */
export interface Engine {
  name: 'http' | 'chromium'
  fetch(plan: FetchPlan, tier: ProxyTier, deadline: Deadline): Promise<FetchOutcome>
}
