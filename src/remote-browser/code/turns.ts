/** Work that is done one after the other, in the order it came. Who is gone before his turn leaves the line. */
export function turns(): <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const mine = last.then(() => {
      signal.throwIfAborted()
      return work()
    })
    last = mine.catch(() => {})
    return mine
  }
}
