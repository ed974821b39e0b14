import { defineCause } from '../cause.ts'
import { failedWith, speaksOf } from '../support-case.ts'

export const sandboxMissing = defineCause({
  name: 'sandbox-missing',
  find(facts) {
    const sandbox = facts.capabilities.find(({ name }) => name === 'sandbox')
    const isMet = failedWith(facts, 'SANDBOX_NOT_CONFIGURED', 'CODE_NOT_STARTED') !== undefined
    const isAsked = speaksOf(
      facts,
      /SANDBOX_NOT_CONFIGURED|sandbox|bubblewrap|browser session|\bsession|interact|execute (code|script)|run (code|script)/i,
    )
    if (!isMet && !(isAsked && sandbox?.available === false)) return undefined
    return {
      sureness: isMet ? 0.97 : 0.85,
      diagnosis: `Browser sessions, interact and code run in a sandbox, and it ${sandbox?.available === false ? sandbox.note : 'could not be started'}.`,
      advice:
        'The operator installs bubblewrap or sets BUBBLEWRAP_PATH; npm run doctor tests it and says what is missing.',
    }
  },
})
