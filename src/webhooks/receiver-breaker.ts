/** Answers in a row that did not come, until a receiver is thought to hang. */
const mostSilences = 3
/** Receivers that are remembered; what is forgotten is found out again. */
const mostKnown = 10_000

const usual = { atOnce: 16, patience: 10_000 }
/** Enough to notice that it answers again. */
const wary = { atOnce: 1, patience: 3000 }

/**
 * How many deliveries a receiver gets at once, and how long it may take over one. A receiver that hangs gets one at a time
 * and less time for it, until it answers: it would otherwise hold most of the deliveries that its team may have under way.
 */
export function receiverBreaker() {
  const silences = new Map<string, number>()
  return {
    limitsOf: (receiver: string) => ((silences.get(receiver) ?? 0) < mostSilences ? usual : wary),
    /** Whatever it answered, an answer is one. */
    note(receiver: string, { isSilent }: { isSilent: boolean }): void {
      const before = silences.get(receiver) ?? 0
      silences.delete(receiver)
      if (!isSilent) return
      const [oldest] = silences.keys()
      if (silences.size >= mostKnown && oldest !== undefined) silences.delete(oldest)
      silences.set(receiver, before + 1)
    },
  }
}
