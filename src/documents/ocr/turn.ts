/** Resolves when one more OCR program may run; the returned function reports its end. */
type AskForTurn = (signal: AbortSignal) => Promise<() => void>

let ask: AskForTurn = async () => () => {}

/** A converter process asks its parent; without a parent, nothing needs to be asked. */
export function connectParentOcrQueue(asking: AskForTurn): void {
  ask = asking
}

export async function withOcrTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const done = await ask(signal)
  try {
    return await work()
  } finally {
    done()
  }
}
