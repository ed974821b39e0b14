/** A fixed number of places, given to teams in turn, and within a team in the order of asking. */
export function placesInTurn(count: number) {
  const lines = new Map<string, (() => void)[]>()
  let taken = 0

  function next(): void {
    const first = lines.entries().next().value
    if (!first) {
      taken -= 1
      return
    }
    const [team, line] = first
    const go = line.shift()
    // The team goes to the end of the round, whatever it still waits for.
    lines.delete(team)
    if (line.length > 0) lines.set(team, line)
    go?.()
  }

  return {
    taken: () => taken,
    /** Resolves with the way to give the place back. */
    async enter(team: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      if (taken < count) taken += 1
      else await waitIn(lines, team, signal)
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        next()
      }
    },
  }
}

function waitIn(lines: Map<string, (() => void)[]>, team: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const line = lines.get(team) ?? []
    lines.set(team, line)
    const go = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      const place = line.indexOf(go)
      if (place >= 0) line.splice(place, 1)
      if (line.length === 0 && lines.get(team) === line) lines.delete(team)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    line.push(go)
  })
}
