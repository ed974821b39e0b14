/** Resolves when one more program may recognise text; the answer says that it has ended. */
type AskForTurn = (signal: AbortSignal) => Promise<() => void>

let ask: AskForTurn = async () => () => {}

/** A process that shares the machine with others asks whoever started it; alone, there is nobody to ask. */
export function askForTurnsBy(asking: AskForTurn): void {
  ask = asking
}

export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const done = await ask(signal)
  try {
    return await work()
  } finally {
    done()
  }
}
