type RequestPermit = (signal: AbortSignal) => Promise<() => void>

let requestPermit: RequestPermit = async () => () => {}

/** Without a parent process, permits are granted immediately. */
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
