import { defineCause } from '../cause.ts'
import { lastVerdict, optionOf, speaksOf, stepsOf } from '../support-case.ts'

export const consentWall = defineCause({
  name: 'consent-wall',
  find(facts) {
    const isWall = /consent|cookie/i.test(lastVerdict(facts)?.reason ?? '')
    const isShown = /cookie|consent|gdpr/i.test((facts.document?.markdown ?? '').slice(0, 1500))
    const isAsked = speaksOf(facts, /cookies?\b|consent|gdpr|privacy (wall|banner|dialog)/i)
    const answered = stepsOf(facts, 'consent').length > 0
    if (!isWall && !(isAsked && (isShown || answered))) return undefined
    const isOff = optionOf(facts, 'blockAds') === false
    return {
      sureness: isWall ? 0.92 : 0.84,
      diagnosis: 'The page shows a dialog that asks for consent to cookies in place of its content.',
      advice: isOff
        ? 'blockAds: false also leaves such dialogs unanswered; leave it out.'
        : 'Open the page in the browser, where dialogs are answered, or click the button of the dialog with an action.',
      fixes: [
        ...(isOff ? [{ blockAds: true }] : []),
        { blockAds: true, waitFor: 2000 },
        { blockAds: true, fastMode: false, waitFor: 5000 },
      ],
    }
  },
})
