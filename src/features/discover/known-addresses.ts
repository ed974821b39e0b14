/** Addresses that are remembered at all, so that a site without end does not fill the memory. */
const mostKnown = 400_000
/** Of these, at most this many may come from files of the site: links must find room, whatever such files name. */
const mostNamed = mostKnown / 2

/** Addresses that were looked at, each once and as many as there is room for. */
export function knownAddresses() {
  const known = new Set<string>()
  let isOverfull = false
  return {
    /** One page may be written in many ways, of which a pattern may refuse some: each is looked at, once. */
    isNew(href: string, { isLink }: { isLink: boolean }): boolean {
      if (known.has(href)) return false
      const isRoom = known.size < (isLink ? mostKnown : mostNamed)
      if (isRoom) known.add(href)
      else isOverfull = true
      return isRoom
    },
    notes: (): string[] => (isOverfull ? [tooMany] : []),
  }
}

const tooMany = `The site has more than ${mostNamed} URLs; some were ignored.`
