import { AppError, isErrorCode, type StoredError } from '../errors.ts'

export type ToChild = { id: number; request: unknown } | { id: number; note: unknown }

export type FromChild =
  | { id: number; reply: unknown }
  | { id: number; problem: ChildProblem }
  | { id: number; note: unknown }

export type ChildProblem = { refused: StoredError } | { error: unknown }

export interface ChildProgram {
  title: string
  start(events: ChildEvents): StartedChild
}

export interface ChildEvents {
  received(message: unknown): void
  /** Also called for a child that violated the protocol; may be called more than once. */
  ended(reason: ChildError['reason'], message: string, cause?: unknown): void
}

export interface StartedChild {
  send(message: ToChild): void
  setKeepAlive(isBusy: boolean): void
  /** Resolves when no part of the child runs any more; never rejects. */
  kill(): Promise<unknown>
}

export class MessageTooLargeError extends Error {}

export class ChildError extends Error {
  readonly reason: 'ended' | 'memory' | 'time' | 'size' | 'stopped'
  /** A child may fail its first request because it cannot start at all. */
  readonly isFirst: boolean

  constructor(
    reason: ChildError['reason'],
    message: string,
    { isFirst = false, cause }: { isFirst?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.isFirst = isFirst
  }
}

export interface RequestOptions {
  /** A child that has not replied by then is ended. The name appears in the error message. */
  limit?: { ms: number; name: string }
  /** Called for each message before the reply; `send` sends a message back. */
  onNote?(note: unknown, send: (note: unknown) => void): void
}

interface PendingRequest {
  resolve(reply: unknown): void
  reject(cause: unknown): void
  onNote: RequestOptions['onNote']
  timer: NodeJS.Timeout | undefined
}

/** Running thread or process. It is ended only once: when it exits, exceeds a limit, or is ended by its owner. */
export class Child {
  requests = 0
  ended: Promise<unknown> | undefined
  readonly #program: ChildProgram
  readonly #onEnd: (failure: ChildError, isBusy: boolean) => void
  readonly #started: StartedChild
  readonly #pending = new Map<number, PendingRequest>()

  constructor(program: ChildProgram, onEnd: (failure: ChildError, isBusy: boolean) => void) {
    this.#program = program
    this.#onEnd = onEnd
    this.#started = program.start({
      received: (message) => this.#receive(message),
      ended: (reason, message, cause) => void this.end(reason, message, cause),
    })
  }

  request(request: unknown, { limit, onNote }: RequestOptions = {}): Promise<unknown> {
    this.requests += 1
    const id = this.requests
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const timer = limit && setTimeout(() => this.#endOnTimeout(limit), limit.ms)
    this.#pending.set(id, { resolve, reject, onNote, timer })
    this.#started.setKeepAlive(true)
    try {
      if (this.ended) throw this.#failure('ended', `The ${this.#program.title} has ended.`)
      this.#started.send({ id, request })
    } catch (cause) {
      const failure = cause instanceof MessageTooLargeError ? this.#failure('size', cause.message) : cause
      this.#settle(id)?.reject(failure)
    }
    return promise
  }

  end(reason: ChildError['reason'], message = `The ${this.#program.title} was stopped.`, cause?: unknown) {
    if (this.ended) return this.ended
    this.ended = this.#started.kill()
    const failure = this.#failure(reason, message, cause)
    this.#onEnd(failure, this.#pending.size > 0)
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(failure)
    return this.ended
  }

  #endOnTimeout({ ms, name }: { ms: number; name: string }): void {
    void this.end('time', `The ${this.#program.title} took more than ${ms} ms (${name}).`)
  }

  #receive(value: unknown): void {
    // A message in another form, or with the id of an earlier request, matches no pending request.
    const message = value as FromChild
    const pending = this.#pending.get(message?.id)
    if (!pending) return
    if ('note' in message) pending.onNote?.(message.note, (note) => this.#note(message.id, note))
    else if ('problem' in message) {
      // The problem is read first: an invalid problem must end the child, not only fail the request.
      const error = toError(message.problem)
      this.#settle(message.id)?.reject(error)
    } else this.#settle(message.id)?.resolve(message.reply)
  }

  #note(id: number, note: unknown): void {
    if (this.#pending.has(id)) this.#started.send({ id, note })
  }

  #settle(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(pending?.timer)
    if (this.#pending.size === 0) this.#started.setKeepAlive(false)
    return pending
  }

  #failure(reason: ChildError['reason'], message: string, cause?: unknown): ChildError {
    return new ChildError(reason, message, { isFirst: this.requests === 1, cause })
  }
}

function toError(problem: ChildProblem): Error {
  if ('refused' in problem && isErrorCode(problem.refused.code)) return AppError.fromStored(problem.refused)
  const thrown = 'error' in problem ? problem.error : problem
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
