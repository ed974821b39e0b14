interface Waiting<Entry, Answer> {
  entry: Entry
  resolve(answer: Answer): void
  reject(cause: unknown): void
}

/** More would hold the locks of one transaction for too long. */
const mostTogether = 64

/**
 * Entries that come while a batch is being written are written together with the next: one commit for all of them. A
 * single entry waits for nobody. `write` answers in the order of its entries.
 */
export function inBatches<Entry, Answer>(
  write: (batch: Entry[]) => Promise<Answer[]>,
): (entry: Entry) => Promise<Answer> {
  let waiting: Waiting<Entry, Answer>[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostTogether)
      waiting = waiting.slice(mostTogether)
      try {
        const answers = await write(batch.map(({ entry }) => entry))
        // One answer per entry, in their order.
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
      } catch (cause) {
        for (const { reject } of batch) reject(cause)
      }
    }
    isWriting = false
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject })
      if (!isWriting) writeAll()
    })
}
