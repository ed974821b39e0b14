import { defineCause } from '../cause.ts'
import { speaksOf } from '../support-case.ts'

export const webhookFailed = defineCause({
  name: 'webhook-failed',
  find(facts) {
    const deliveries = facts.job?.deliveries ?? []
    const failing = deliveries.filter(({ state, attempts }) => state !== 'delivered' && attempts.length > 0)
    const isAsked = speaksOf(facts, /webhook|callback|deliver(y|ies|ed)|signature/i)
    if (failing.length === 0 && !isAsked) return undefined
    const last = failing[0]?.attempts.at(-1)
    const why =
      last?.status === undefined
        ? (last?.error ?? 'nothing was sent')
        : `the receiver answered ${last.status}`
    const isSignature = speaksOf(facts, /signature|secret|verif/i)
    return {
      sureness: failing.length > 0 ? (isAsked ? 0.96 : 0.7) : deliveries.length > 0 ? 0.7 : 0.8,
      diagnosis:
        failing.length > 0
          ? `${failing.length} of ${deliveries.length} deliveries have not arrived: ${why.slice(0, 200)}.`
          : deliveries.length > 0
            ? `All ${deliveries.length} deliveries of the job were answered by the receiver with a status of success.`
            : 'No delivery is on record: the job was started without a webhook, or its events were not asked for.',
      advice: isSignature
        ? 'The signature is the HMAC-SHA256 of the raw body with the secret of the team (WEBHOOK_SECRET otherwise): compare bytes before any parsing.'
        : 'GET /v2/webhooks/deliveries lists every attempt, POST /v2/webhooks/deliveries/{id}/replay sends one again, and POST /v2/webhooks/test tries a receiver; private addresses are refused unless the operator allows them.',
    }
  },
})
