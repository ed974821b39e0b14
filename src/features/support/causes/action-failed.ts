import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const actionFailed = defineCause({
  name: 'action-failed',
  find(facts) {
    if (!failedWith(facts, 'SCRAPE_ACTION_ERROR')) return undefined
    const said = facts.job?.error?.error ?? 'One of the actions failed.'
    return {
      sureness: 0.95,
      diagnosis: said.slice(0, 300),
      advice:
        'Wait for the element before the action ({"type": "wait", "selector": …}), and check the selector against the rawHtml of the page.',
    }
  },
})
