import { defineCause } from '../cause.ts'
import { failedWith, optionOf } from '../support-case.ts'

export const cacheMiss = defineCause({
  name: 'cache-miss',
  find(facts) {
    const code = failedWith(facts, 'SCRAPE_NO_CACHED_DATA', 'SCRAPE_LOCKDOWN_CACHE_MISS')
    if (!code) return undefined
    const isLockdown = optionOf(facts, 'lockdown') === true || code === 'SCRAPE_LOCKDOWN_CACHE_MISS'
    return {
      sureness: 0.97,
      diagnosis: isLockdown
        ? 'lockdown serves from the cache alone, and the cache has no such page.'
        : 'minAge serves from the cache alone, and the cache has no copy that is old enough.',
      advice: isLockdown
        ? 'Scrape the page once without lockdown; later calls with lockdown find it.'
        : 'Leave minAge out to have the page fetched.',
      // Null: leave the option out.
      fixes: [isLockdown ? { lockdown: false } : { minAge: null }],
    }
  },
})
