/** What the service or this client says about a call that did not work. */
export interface ErrorFacts {
  /** HTTP status; 0 where there was no answer. */
  status: number
  /** Code of the service (docs/errors.md), or of this client: CONNECTION_FAILED, CALL_TIMEOUT, UNEXPECTED_ANSWER. */
  code: string
  message: string
  /** Phase in which a scrape failed. */
  phase?: string | undefined
  /** What to do about it. */
  hint?: string | undefined
  /** Seconds after which a repetition makes sense. */
  retryAfter?: number | undefined
  /** The id under which the service has logged the call. */
  requestId: string
  /** The job that failed, where there was one: its trace says what it did. */
  jobId?: string | undefined
  /** Problems of the request, or attempts of a scrape, as the service lists them. */
  details?: unknown
  /** The whole answer. */
  body?: Record<string, unknown> | undefined
  /** How often the call was made. */
  attempts?: number | undefined
  cause?: unknown
}

export class WinnowError extends Error {
  readonly status: number
  readonly code: string
  readonly phase: string | undefined
  readonly hint: string | undefined
  readonly retryAfter: number | undefined
  readonly requestId: string
  readonly jobId: string | undefined
  readonly details: unknown
  readonly body: Record<string, unknown>
  readonly attempts: number

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.name = new.target.name
    this.status = facts.status
    this.code = facts.code
    this.phase = facts.phase
    this.hint = facts.hint
    this.retryAfter = facts.retryAfter
    this.requestId = facts.requestId
    this.jobId = facts.jobId
    this.details = facts.details
    this.body = facts.body ?? {}
    this.attempts = facts.attempts ?? 1
  }
}

/** The request is wrong in itself: 400, 413, 415 or 422. Sending it again changes nothing. */
export class InvalidRequestError extends WinnowError {}
/** 401: there is no key, or it is not valid. */
export class AuthenticationError extends WinnowError {}
/** 402: the team has too few credits left. */
export class CreditsExhaustedError extends WinnowError {}
/** 403: this key may not do that. */
export class PermissionError extends WinnowError {}
/** 404 and 410: the job, session or route does not exist, or not any more. */
export class NotFoundError extends WinnowError {}
/** 409: the state of a job, session or profile does not allow this now. */
export class ConflictError extends WinnowError {}
/** 429: too many calls or sessions; `retryAfter` says when to come back, where the service knows. */
export class RateLimitError extends WinnowError {}
/** 501, 502, 503 and 504: the service, or a part of it, is not available. */
export class UnavailableError extends WinnowError {}
/** The page or the file could not be fetched or read: codes SCRAPE_… and DOCUMENT_…, and 408. */
export class ScrapeError extends WinnowError {}
/** There was no answer: the service was not reached, or the connection broke. */
export class ConnectionError extends WinnowError {}
/** There was no answer within `timeoutMs`. */
export class CallTimeoutError extends WinnowError {}
/** Something answered that is not the service, such as a proxy with a page of its own. */
export class UnexpectedAnswerError extends WinnowError {}

/** A crawl, batch, extract or agent ended without completing. */
export class JobFailedError extends WinnowError {
  override readonly jobId: string
  /** Whether it failed or was cancelled. */
  readonly outcome: 'failed' | 'cancelled'

  constructor(jobId: string, outcome: 'failed' | 'cancelled', facts: ErrorFacts) {
    super(facts)
    this.jobId = jobId
    this.outcome = outcome
  }
}

const byStatus: Record<number, typeof WinnowError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: CreditsExhaustedError,
  403: PermissionError,
  404: NotFoundError,
  408: ScrapeError,
  409: ConflictError,
  410: NotFoundError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  501: UnavailableError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
}

/** Errors of the service by what callers do about them. */
export function serviceError(facts: ErrorFacts): WinnowError {
  const isOfPage = /^(?:SCRAPE|DOCUMENT)_/.test(facts.code) && facts.status !== 400
  const Kind = isOfPage ? ScrapeError : (byStatus[facts.status] ?? WinnowError)
  return new Kind(facts)
}
