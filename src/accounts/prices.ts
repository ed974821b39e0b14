/** The facts about a finished scrape that decide its price. */
export interface ScrapeFacts {
  zeroRetention: boolean
  lockdown: 'off' | 'hit' | 'miss'
  /** The page was fetched through the enhanced proxy. */
  isEnhanced: boolean
  /** Additional price of the rendered formats. */
  surcharge: number
  /** Pages of a PDF that were converted; 0 for everything else. */
  pages: number
  /** Personal data was taken out. */
  isRedacted: boolean
}

/** For each page that is redacted; what is no PDF is one. */
const redactedPage = 4

/** The price list. Facts of a finished call → credits; pure. */
export function scrapePrice(facts: ScrapeFacts): number {
  if (facts.lockdown === 'hit') return 5
  if (facts.lockdown === 'miss') return 1
  return documentPrice(facts) + (facts.isEnhanced ? 4 : 0)
}

/** A file: each page of a PDF costs one credit, any other file costs one; some formats cost more. */
export function documentPrice(
  facts: Pick<ScrapeFacts, 'pages' | 'zeroRetention' | 'isRedacted' | 'surcharge'>,
): number {
  const pages = Math.max(1, facts.pages)
  const extra = (facts.zeroRetention ? 1 : 0) + (facts.isRedacted ? pages * redactedPage : 0)
  return pages + extra + facts.surcharge
}

/** What an agent does on a page before it is read. */
export const taskPrice = 5

/** Credits for an hour of a browser; if a prompt ran in it, the whole session costs more. */
const browserHour = { plain: 120, withPrompt: 420 }

/** A browser session: its duration, rounded up to whole credits, and at least one minute. */
export function sessionPrice(facts: { ms: number; usedPrompt: boolean }): number {
  const rate = facts.usedPrompt ? browserHour.withPrompt : browserHour.plain
  return Math.max(rate / 60, Math.ceil((facts.ms * rate) / 3_600_000))
}

/** Token counts are shown to clients that think in tokens; the ledger knows credits only. */
export const tokensPerCredit = 15

/** A search: by started tens of results, of all sources together. */
export function searchPrice(facts: { results: number; zeroRetention: boolean }): number {
  return Math.ceil(facts.results / 10) * (facts.zeroRetention ? 10 : 2)
}
