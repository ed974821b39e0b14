import { scrapePrice, taskPrice } from '../../accounts/prices.ts'
import { mostSurcharge } from '../../formats/index.ts'
import { type ScrapeRequest, taskOf } from './schema.ts'

type PricedOptions = Pick<ScrapeRequest, 'proxy' | 'lockdown' | 'formats' | 'zeroDataRetention' | 'redactPII'>

/** The most a call can cost, as far as it is known before it runs: this amount is set aside. */
export function mostPrice(request: PricedOptions, hasEnhancedProxy: boolean): number {
  const isEnhanced = request.proxy === 'enhanced' || request.proxy === 'stealth'
  return scrapePrice({
    lockdown: request.lockdown ? 'hit' : 'off',
    isEnhanced: hasEnhancedProxy && (isEnhanced || request.proxy === 'auto'),
    surcharge: mostSurcharge(request.formats) + ofTask(request),
    pages: 0,
    isRedacted: isRedacted(request),
    zeroRetention: request.zeroDataRetention,
  })
}

/** What a finished call costs. */
export function priceOf(
  request: PricedOptions,
  facts: { cache: 'hit' | 'miss'; tier: 'basic' | 'enhanced'; surcharge: number; pages: number },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.tier === 'enhanced',
    surcharge: facts.surcharge + ofTask(request),
    pages: facts.pages,
    isRedacted: isRedacted(request),
    zeroRetention: request.zeroDataRetention,
  })
}

const ofTask = (request: object) => (taskOf(request) === undefined ? 0 : taskPrice)
const isRedacted = ({ redactPII }: PricedOptions) => redactPII !== undefined && redactPII !== false
