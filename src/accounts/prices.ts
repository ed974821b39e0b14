export interface ScrapeFacts {
  zeroRetention: boolean
  lockdown: 'off' | 'hit' | 'miss'
  isEnhanced: boolean
  surcharge: number
  pages: number
  isRedacted: boolean
}

const redactionPricePerPage = 4

export function scrapePrice(facts: ScrapeFacts): number {
  if (facts.lockdown === 'hit') return 5
  if (facts.lockdown === 'miss') return 1
  return documentPrice(facts) + (facts.isEnhanced ? 4 : 0)
}

/** Each page of a PDF costs one credit, any other file one; some formats cost more. */
export function documentPrice(
  facts: Pick<ScrapeFacts, 'pages' | 'zeroRetention' | 'isRedacted' | 'surcharge'>,
): number {
  const pages = Math.max(1, facts.pages)
  const extra = (facts.zeroRetention ? 1 : 0) + (facts.isRedacted ? pages * redactionPricePerPage : 0)
  return pages + extra + facts.surcharge
}

export const taskPrice = 5

/** Credits per hour of a browser session. A session with a prompt costs more for its full duration. */
const browserHourPrice = { plain: 120, withPrompt: 420 }

export function sessionPrice(facts: { ms: number; usedPrompt: boolean }): number {
  const rate = facts.usedPrompt ? browserHourPrice.withPrompt : browserHourPrice.plain
  return Math.max(rate / 60, Math.ceil((facts.ms * rate) / 3_600_000))
}

/** Tokens per credit, for clients that expect a cost in tokens. The ledger stores only credits. */
export const tokensPerCredit = 15

export function searchPrice(facts: { results: number; zeroRetention: boolean }): number {
  return Math.ceil(facts.results / 10) * (facts.zeroRetention ? 10 : 2)
}
