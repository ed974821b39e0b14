import type { Deadline } from '../../base/deadline.ts'
import type { FetchPlan, Way } from '../fetch-plan.ts'
import type { Verdict } from '../verdict.ts'

/** A way to turn a fetch plan into a page. */
export interface Engine {
  name: 'http' | 'chromium'
  fetch(plan: FetchPlan, way: Way, deadline: Deadline): Promise<Verdict>
}
