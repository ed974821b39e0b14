/** Properties of a failed call. */
export interface ErrorProperties {
  /** HTTP status; 0 if there was no response. */
  status: number
  /**
   * Error code of the service (docs/errors.md) or of this client: CONNECTION_FAILED, CALL_TIMEOUT, UNEXPECTED_ANSWER.
   */
  code: string
  message: string
  /** Phase in which a scrape failed. */
  phase?: string | undefined
  /** Suggested fix. */
  hint?: string | undefined
  /** Seconds after which a retry makes sense. */
  retryAfter?: number | undefined
  /** Id under which the service has logged the call. */
  requestId: string
  /** Id of the failed job; undefined if no job was created. The trace of the job lists its steps. */
  jobId?: string | undefined
  /** Problems of the request or attempts of a scrape, as listed by the service. */
  details?: unknown
  /** Complete response body. */
  body?: Record<string, unknown> | undefined
  /** Number of attempts. */
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

  constructor(properties: ErrorProperties) {
    super(properties.message, { cause: properties.cause })
    this.name = new.target.name
    this.status = properties.status
    this.code = properties.code
    this.phase = properties.phase
    this.hint = properties.hint
    this.retryAfter = properties.retryAfter
    this.requestId = properties.requestId
    this.jobId = properties.jobId
    this.details = properties.details
    this.body = properties.body ?? {}
    this.attempts = properties.attempts ?? 1
  }
}

/** 400, 413, 415 or 422: the request is not valid. A retry returns the same error. */
export class InvalidRequestError extends WinnowError {}
/** 401: the key is missing or not valid. */
export class AuthenticationError extends WinnowError {}
/** 402: the team has too few credits left. */
export class CreditsExhaustedError extends WinnowError {}
/** 403: this key does not permit the call. */
export class PermissionError extends WinnowError {}
/** 404 and 410: the job, session or route does not exist, or no longer exists. */
export class NotFoundError extends WinnowError {}
/** 409: the state of a job, session or profile does not allow the call now. */
export class ConflictError extends WinnowError {}
/** 429: too many calls or sessions. `retryAfter` is set if the service can estimate when a retry succeeds. */
export class RateLimitError extends WinnowError {}
/** 501, 502, 503 and 504: the service, or a component of it, is not available. */
export class UnavailableError extends WinnowError {}
/** Codes SCRAPE_… and DOCUMENT_…, and 408: the page or the file could not be fetched or read. */
export class ScrapeError extends WinnowError {}
/** The call received no response: the service was not reached, or the connection broke. */
export class ConnectionError extends WinnowError {}
/** The call received no response within `timeoutMs`. */
export class CallTimeoutError extends WinnowError {}
/** The response is not from the service, for example an error page of a proxy. */
export class UnexpectedResponseError extends WinnowError {}
/** @deprecated Older name of `UnexpectedResponseError`. */
export const UnexpectedAnswerError = UnexpectedResponseError
/** @deprecated Older name of `UnexpectedResponseError`. */
export type UnexpectedAnswerError = UnexpectedResponseError

/** A crawl, batch, extract or agent ended without completing. */
export class JobFailedError extends WinnowError {
  override readonly jobId: string
  /** Final state of the job. */
  readonly outcome: 'failed' | 'cancelled'

  constructor(jobId: string, outcome: 'failed' | 'cancelled', properties: ErrorProperties) {
    super(properties)
    this.jobId = jobId
    this.outcome = outcome
  }
}

const classByStatus: Record<number, typeof WinnowError> = {
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

/** Creates an error of the service. Its class groups the codes that callers handle in the same way. */
export function serviceError(properties: ErrorProperties): WinnowError {
  const isPageError = /^(?:SCRAPE|DOCUMENT)_/.test(properties.code) && properties.status !== 400
  const ErrorClass = isPageError ? ScrapeError : (classByStatus[properties.status] ?? WinnowError)
  return new ErrorClass(properties)
}
