/**
 * Requests that run here, so that a later message can cancel them: clients of the protocol before 2026 say so in a
 * request of its own. They name their requests by numbers that start at zero, so the session tells clients apart.
 */
export interface Cancellations {
  /** The signal of a request, until `forget`. */
  watch(session: string, id: string | number): AbortSignal
  forget(session: string, id: string | number): void
  cancel(session: string, id: string | number): void
}

export function createCancellations(): Cancellations {
  const running = new Map<string, AbortController>()
  // A number and its text are two ids.
  const keyOf = (session: string, id: string | number) => JSON.stringify([session, id])
  return {
    watch(session, id) {
      const controller = running.get(keyOf(session, id)) ?? new AbortController()
      running.set(keyOf(session, id), controller)
      return controller.signal
    },
    forget: (session, id) => running.delete(keyOf(session, id)),
    cancel: (session, id) => running.get(keyOf(session, id))?.abort(new Error('The caller has cancelled.')),
  }
}
