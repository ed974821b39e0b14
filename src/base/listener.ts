/**
 * A function that events, timers and pipes may call: it cannot throw. Whatever the work throws, now or in its promise, goes to
 * `failed`, which says who has to be told and what has to end. Node ends the process for a throw that nobody catches, and
 * behind an event nobody does.
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
