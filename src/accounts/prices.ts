/** What a finished scrape was, as far as its price goes. */
export interface ScrapeFacts {
  zeroRetention: boolean
  lockdown: 'off' | 'hit' | 'miss'
}

/** The price list. Facts of a finished call → credits; pure. */
export function scrapePrice(facts: ScrapeFacts): number {
  if (facts.lockdown === 'hit') return 5
  if (facts.lockdown === 'miss') return 1
  return 1 + (facts.zeroRetention ? 1 : 0)
}

/** Token counts are shown to clients that think in tokens; the ledger knows credits only. */
export const tokensPerCredit = 15
