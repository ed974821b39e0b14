import { defineCause } from '../cause.ts'
import { failedWith, optionOf, speaksOf } from '../support-case.ts'

export const timeout = defineCause({
  name: 'timeout',
  find(facts) {
    const code = failedWith(facts, 'SCRAPE_TIMEOUT', 'MAP_TIMEOUT', 'INTERACT_TIMEOUT')
    if (!code && !(facts.job?.error && speaksOf(facts, /time(d)? ?out/i))) return undefined
    const given = Number(optionOf(facts, 'timeout') ?? 60_000)
    const phase = String(facts.job?.error?.detail.phase ?? 'fetch')
    const waits = Number(optionOf(facts, 'waitFor') ?? 0)
    const longer = Math.min(300_000, Math.max(30_000, given * 4))
    return {
      sureness: code ? 0.95 : 0.5,
      diagnosis: `The ${given} ms of the call ended in the phase ${phase}${phases[phase] ?? ''}.`,
      advice:
        waits > given / 2
          ? 'Lower waitFor or raise timeout.'
          : 'Raise timeout, or ask for less (fewer actions and captures).',
      fixes: [
        { timeout: longer },
        ...(phase === 'browser' ? [{ timeout: longer, fastMode: true }] : []),
        ...(waits > 0 ? [{ timeout: longer, waitFor: 0 }] : []),
      ],
    }
  },
})

const phases: Record<string, string> = {
  fetch: ', while the site was answering',
  browser: ', while the page was open in the browser',
  render: ', while the formats were made',
  read: ', while the page was read',
  convert: ', while the file was converted',
  cache: ', while the cache was asked',
}
