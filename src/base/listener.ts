/**
 * A function that events, timers and pipes may call: it never throws. Anything that the work throws, synchronously or in its
 * promise, goes to `failed`, which decides what to report and what to end. Node exits on an uncaught error, and nothing
 * catches errors of an event handler.
 */
export function listener<Given extends unknown[]>(
  work: (...given: Given) => unknown,
  failed: (cause: unknown, ...given: Given) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      const done = work(...given)
      if (done instanceof Promise) done.catch((cause) => failed(cause, ...given))
    } catch (cause) {
      failed(cause, ...given)
    }
  }
}
