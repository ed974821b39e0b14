/** What a finished scrape was, as far as its price goes. */
export interface ScrapeFacts {
  zeroRetention: boolean
  lockdown: 'off' | 'hit' | 'miss'
  /** The enhanced proxy brought the page. */
  isEnhanced: boolean
  /** What formats that were made cost on top. */
  surcharge: number
  /** Pages of a PDF that were converted; 0 for everything else. */
  pages: number
}

/** The price list. Facts of a finished call → credits; pure. */
export function scrapePrice(facts: ScrapeFacts): number {
  if (facts.lockdown === 'hit') return 5
  if (facts.lockdown === 'miss') return 1
  const more = Math.max(0, facts.pages - 1)
  return (facts.isEnhanced ? 5 : 1) + more + (facts.zeroRetention ? 1 : 0) + facts.surcharge
}

/** A file: a page of a PDF is a credit, any other file is one. */
export function documentPrice(facts: { pages: number; zeroRetention: boolean }): number {
  return Math.max(1, facts.pages) + (facts.zeroRetention ? 1 : 0)
}

/** Credits of an hour of a browser; a prompt that ran in it makes all of it cost more. */
const browserHour = { plain: 120, withPrompt: 420 }

/** A browser session: its time, rounded up to whole credits, and at least a minute. */
export function sessionPrice(facts: { ms: number; usedPrompt: boolean }): number {
  const rate = facts.usedPrompt ? browserHour.withPrompt : browserHour.plain
  return Math.max(rate / 60, Math.ceil((facts.ms * rate) / 3_600_000))
}

/** Token counts are shown to clients that think in tokens; the ledger knows credits only. */
export const tokensPerCredit = 15
