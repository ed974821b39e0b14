/** A request to a model server that failed, with nothing of the request in it: that may hold page text, which must not be logged. */
export class ServerError extends Error {
  /** Undefined if there was no answer, or none of the protocol. */
  readonly status: number | undefined
  /** It may work a moment later. */
  readonly isPassing: boolean
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined
  /** What the operator should look at, if the status does not say it. */
  readonly hint: string | undefined

  constructor(
    message: string,
    facts: Partial<Pick<ServerError, 'status' | 'isPassing' | 'retryAfterMs' | 'hint'>> = {},
  ) {
    super(message)
    this.name = 'ServerError'
    this.status = facts.status
    this.isPassing = facts.isPassing ?? false
    this.retryAfterMs = facts.retryAfterMs
    this.hint = facts.hint
  }
}

/**
 * The server understood the request and rejected it. Some servers fail with 500 where they cannot turn a schema into a grammar.
 */
export function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof ServerError)) return false
  if (thrown.status === 500) return /schema|grammar|response_format|tool_choice/i.test(thrown.message)
  return thrown.status === 400 || thrown.status === 422 || thrown.status === 501
}
