/** Resolves when another OCR program may run. The returned function releases the permit. */
type RequestPermit = (signal: AbortSignal) => Promise<() => void>

let requestPermit: RequestPermit = async () => () => {}

/**
 * Sets the function that requests a permit from the parent process. Without a parent, permits are granted immediately.
 */
export function connectParentPermits(request: RequestPermit): void {
  requestPermit = request
}

export async function withOcrPermit<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await requestPermit(signal)
  try {
    return await work()
  } finally {
    release()
  }
}
