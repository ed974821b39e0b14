/** Resolves when another OCR program may run. The returned function reports its end. */
type RequestTurn = (signal: AbortSignal) => Promise<() => void>

let requestTurn: RequestTurn = async () => () => {}

/** Sets the function that requests a turn from the parent process. Without a parent, turns are granted immediately. */
export function connectParentOcrQueue(request: RequestTurn): void {
  requestTurn = request
}

export async function withOcrTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await requestTurn(signal)
  try {
    return await work()
  } finally {
    release()
  }
}
