import { z } from 'zod'
import type { Lane } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import { boundedText } from '../platform/bounded.ts'
import type { AppError, ErrorCode, ErrorDetail } from '../platform/errors.ts'
import type { App } from './app.ts'
import type { Upload } from './body/multipart.ts'
import type { Streamed } from './send-response.ts'

/** Request context of an endpoint handler. */
export interface Call<Params, Query, Body> {
  app: App
  team: Team
  params: Params
  query: Query
  body: Body
  /** Uploaded file, if the endpoint takes one. It is deleted when the request is finished. */
  upload: Upload
  idempotencyKey: string | undefined
  /** Base URL under which callers reach this service, for links in responses. */
  publicUrl: string
  /**
   * Returns a signal that aborts when the client disconnects. It is created on demand, because most responses are ready
   * earlier.
   */
  signal(): AbortSignal
  /** Aborts when the service stops, which ends streams that do not end otherwise. */
  stopping: AbortSignal
}

type Schema = z.ZodType

/** Required access: any key of a team, an operator key, or any local client without a key. */
export type Access = 'team' | 'operator' | 'machine'

/** Declarative endpoint: validation, OpenAPI, client types and the API reference are derived from it. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path with parameters in braces: `/v2/scrape/{id}`. */
  path: string
  summary: string
  tag: string
  /** True if the endpoint exists for older clients and another endpoint replaces it. */
  isDeprecated?: true
  /** Default: `team`. */
  access?: Access
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** Content types and description of a streamed response. The handler returns a `Streamed`. */
  streams?: { types: string[]; description: string }
  /** True if the body is a multipart form: a file, and `body` as JSON in the field `options`. */
  takesFile?: true
  /** Unsupported fields that clients may send, each with its alternative. Requests with such a field are rejected. */
  unsupportedFields?: Record<string, string>
  /** Error codes in addition to those of every endpoint. */
  errors?: ErrorCode[]
  /** Prefix of the message of body validation errors. Default: Bad Request. */
  invalidBody?: string
  /** Additional fields that clients of this endpoint read from errors. */
  errorFields?: (error: AppError) => ErrorDetail
  /** Rate-limit class. Default: `read` for GET, else `work`. */
  rateLimitClass?: Lane
  /** Location of the warning about ignored options: in `data`, or by default at the top level. */
  warningIn?: 'data'
  handle(
    call: Call<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<z.input<Response> | Streamed> | z.input<Response>
}

export function defineEndpoint<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
>(endpoint: Endpoint<Params, Query, Body, Response>): Endpoint {
  // The cast is safe: each handler only receives values parsed by its own schemas.
  return endpoint as unknown as Endpoint
}

/** Returns the schema of a success response. */
export function envelope<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ success: z.literal(true), ...shape, warning: z.string().optional() })
}

export function ok<Fields extends object>(fields: Fields): { success: true } & Fields {
  return { success: true, ...fields }
}

/** Returns the response schema of an endpoint that lists items in pages. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return envelope({ data: z.array(item), cursor: z.string().nullable(), has_more: z.boolean() })
}

export function okPage<Item>(data: Item[], cursor: string | null) {
  return ok({ data, cursor, has_more: cursor !== null })
}

/** Returns the rate-limit class of an endpoint. */
export function rateLimitOf({ rateLimitClass, method }: Pick<Endpoint, 'rateLimitClass' | 'method'>): Lane {
  return rateLimitClass ?? (method === 'GET' ? 'read' : 'work')
}

/** Error codes that every endpoint under /v2 may return. */
const commonErrors: ErrorCode[] = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'ORIGIN_FORBIDDEN',
  'RATE_LIMITED',
  'TOO_MANY_SOCKETS',
  'INTERNAL',
  'STORE_UNAVAILABLE',
  'TEMPORARY_FOLDER_FULL',
  'STORED_DATA_DAMAGED',
  'STOPPING',
  'CALL_INTERRUPTED',
]

/** Error codes that every endpoint with a JSON body may return. */
const bodyErrors: ErrorCode[] = [
  'BAD_REQUEST_INVALID_JSON',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_UNFINISHED_REQUESTS',
]

/** Error codes for starting a job of many pages. */
export const startErrors: ErrorCode[] = [
  'BAD_URL',
  'TARGET_FORBIDDEN',
  'SCRAPE_ACTIONS_NOT_SUPPORTED',
  'OPTION_NOT_AVAILABLE',
  'CREDITS_EXHAUSTED',
  'IDEMPOTENCY_KEY_REUSED',
]

/** Error codes for fetching a page. */
export const fetchErrors: ErrorCode[] = [
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_TOO_MANY_REDIRECTS',
  'SCRAPE_PAGE_TOO_LARGE',
]

/** Error codes for converting a file. */
export const documentErrors: ErrorCode[] = [
  'DOCUMENT_ENCRYPTED',
  'DOCUMENT_DAMAGED',
  'DOCUMENT_EMPTY',
  'DOCUMENT_LIMIT_EXCEEDED',
]

const accessErrors: Record<Access, ErrorCode[]> = {
  team: [],
  operator: ['OPERATOR_KEY_REQUIRED'],
  machine: ['LOCAL_CALL_REQUIRED'],
}

/**
 * Returns true if the body may be omitted, because every field has a default. Forms always need a body, since it holds
 * the file.
 */
export function mayOmitBody({ body, takesFile }: Endpoint): boolean {
  return body !== undefined && !takesFile && body.safeParse({}).success
}

/** Returns all error codes that the endpoint may return. */
export function listedCodes(endpoint: Endpoint): Set<ErrorCode> {
  const { access = 'team', body, errors = [] } = endpoint
  return new Set([...commonErrors, ...accessErrors[access], ...(body ? bodyErrors : []), ...errors])
}

export const jobId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the job.') })
