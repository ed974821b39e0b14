import type { Engine } from './engines/engine.ts'

/** What worked for a host, so that the next page of it does not start with what did not. */
export interface HostMemory {
  remember(host: string, engine: Engine['name']): void
  needsBrowser(host: string): boolean
}

const most = 5000
/** Sites change: now and then plain HTTP gets another chance. */
const forgottenAfter = 60 * 60_000

export function hostMemory(now: () => number): HostMemory {
  const known = new Map<string, number>()
  return {
    remember(host, engine) {
      if (engine === 'http') known.delete(host)
      else if (!known.has(host)) {
        if (known.size >= most) known.delete(known.keys().next().value ?? '')
        known.set(host, now())
      }
    },
    needsBrowser(host) {
      const since = known.get(host)
      if (since === undefined) return false
      if (now() - since < forgottenAfter) return true
      known.delete(host)
      return false
    },
  }
}
