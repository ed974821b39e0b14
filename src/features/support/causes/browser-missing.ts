import { defineCause } from '../cause.ts'
import { failedWith, lastVerdict, warnsOf } from '../support-case.ts'

export const browserMissing = defineCause({
  name: 'browser-missing',
  find(facts) {
    const hasBrowser = facts.capabilities.some(({ name, available }) => name === 'browser' && available)
    const isAsked = failedWith(facts, 'BROWSER_NOT_CONFIGURED') !== undefined
    const isNeeded =
      !hasBrowser && (lastVerdict(facts)?.kind === 'needs-browser' || warnsOf(facts, /none is configured/))
    if (!isAsked && !isNeeded) return undefined
    return {
      sureness: 0.97,
      diagnosis: 'The call needs a browser, and this installation has found none.',
      advice:
        'The operator sets CHROMIUM_PATH, or starts the service once as root on Debian or Ubuntu; npm run doctor says what is missing.',
    }
  },
})
