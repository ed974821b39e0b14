import type { Causes } from '../cause.ts'
import { failedWith, lastVerdict, mentions, quotesWarning } from '../support-case.ts'

export const installationCauses: Causes = {
  'browser-missing'(facts) {
    const hasBrowser = facts.capabilities.some(({ name, available }) => name === 'browser' && available)
    const isMentioned = failedWith(facts, 'BROWSER_NOT_CONFIGURED') !== undefined
    const isNeeded =
      !hasBrowser &&
      (lastVerdict(facts)?.kind === 'needs-browser' || quotesWarning(facts, /none is configured/))
    if (!isMentioned && !isNeeded) return undefined
    return {
      confidence: 0.97,
      diagnosis: 'The call needs a browser, and this installation has found none.',
      advice:
        'The operator sets CHROMIUM_PATH, or starts the service once as root on Debian or Ubuntu; npm run doctor says what is missing.',
    }
  },

  'sandbox-missing'(facts) {
    const sandbox = facts.capabilities.find(({ name }) => name === 'sandbox')
    const hasFailed = failedWith(facts, 'SANDBOX_NOT_CONFIGURED', 'CODE_NOT_STARTED') !== undefined
    const isMentioned = mentions(
      facts,
      /SANDBOX_NOT_CONFIGURED|sandbox|bubblewrap|browser session|\bsession|interact|execute (code|script)|run (code|script)/i,
    )
    if (!hasFailed && !(isMentioned && sandbox?.available === false)) return undefined
    return {
      confidence: hasFailed ? 0.97 : 0.85,
      diagnosis: `Browser sessions, interact and code run in a sandbox, and it ${sandbox?.available === false ? sandbox.note : 'could not be started'}.`,
      advice:
        'The operator installs bubblewrap or sets BUBBLEWRAP_PATH; npm run doctor tests it and says what is missing.',
    }
  },

  'model-not-configured'(facts) {
    const model = facts.capabilities.find(({ name }) => name === 'language model')
    const hasFailed =
      failedWith(facts, 'MODEL_NOT_CONFIGURED') !== undefined ||
      quotesWarning(facts, /MODEL_NOT_CONFIGURED|needs a language model/)
    const isMentioned =
      mentions(facts, /MODEL_NOT_CONFIGURED|language model|\bllm\b|MODEL_URL|\bprompt\b/i) &&
      model?.available === false
    // If the job succeeded, a later call was rejected because a component is not configured.
    const isRefused =
      model?.available === false && facts.job?.error === null && mentions(facts, /\b503\b|not configured/i)
    if (!hasFailed && !isMentioned && !isRefused) return undefined
    return {
      confidence: hasFailed ? 0.96 : 0.75,
      diagnosis: 'What was asked for needs a language model, and none works on this installation.',
      advice:
        'The operator sets MODEL_URL, MODEL_KEY and MODEL_NAME (docs/models.md); without a model, json works with a schema, and summary, question and highlights quote the page.',
    }
  },

  'search-provider-down'(facts) {
    const code = failedWith(facts, 'SEARCH_ENGINE_FAILED', 'SEARCH_NOTHING_TO_SEARCH')
    const hasWarning = facts.job?.kind === 'search' && quotesWarning(facts, /did not answer|provider|engine/i)
    const isAlone = facts.job?.kind === 'search' && quotesWarning(facts, /is configured for it/)
    const isMentioned = mentions(facts, /SEARCH_ENGINE_FAILED|SEARCH_NOTHING_TO_SEARCH/)
    if (!code && !hasWarning && !isMentioned) return undefined
    return {
      confidence: code ? 0.97 : 0.75,
      diagnosis:
        code === 'SEARCH_NOTHING_TO_SEARCH' || isAlone
          ? 'Nothing was found: no provider may be configured for this source, and no page of the team has the words.'
          : 'The search providers of this installation did not answer.',
      advice:
        'Try again in a few minutes, or let the operator name others with SEARCH_PROVIDERS, SEARCH_KEYS and SEARCH_URLS (docs/search.md); pages that were scraped or crawled can be searched without any.',
    }
  },
}
