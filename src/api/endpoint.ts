import { z } from 'zod'
import type { Lane } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import { text } from '../platform/bounded.ts'
import type { AppError, ErrorCode, ErrorDetail } from '../platform/errors.ts'
import type { App } from './app.ts'
import type { Upload } from './body/multipart.ts'
import type { Streamed } from './send-response.ts'

/** What a handler is given. */
export interface Call<Params, Query, Body> {
  app: App
  team: Team
  params: Params
  query: Query
  body: Body
  /** The file that was sent, where the endpoint takes one; it is gone when the call has been answered. */
  upload: Upload
  idempotencyKey: string | undefined
  /** Address under which callers reach this service, for links in answers. */
  publicUrl: string
  /** A signal that aborts when the caller has gone; made for those who ask, since most answers are ready sooner. */
  signal(): AbortSignal
  /** Aborts when the service stops: streams without an end of their own end then. */
  stopping: AbortSignal
}

type Schema = z.ZodType

/** Who may call: a team with any of its keys, an operator with one, or, without a key, anyone on this machine. */
export type Access = 'team' | 'operator' | 'machine'

/** An endpoint is a value: validation, OpenAPI, client types and the reference are all derived from it. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'DELETE'
  /** With parameters in braces: `/v2/scrape/{id}`. */
  path: string
  summary: string
  tag: string
  /** It is kept for older clients; another endpoint does the same. */
  isDeprecated?: true
  /** Default: `team`. */
  access?: Access
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** The answer is a `Streamed`, of one of these content types. */
  streams?: { types: string[]; description: string }
  /** The body is a form: a file, and what `body` describes as JSON in the field `options`. */
  takesFile?: true
  /** Fields that clients know and that are not to be had here, with what is there instead. They are refused by name. */
  absentFields?: Record<string, string>
  /** Codes beside those that every endpoint may answer with. */
  errors?: ErrorCode[]
  /** How the text of an error begins that says what is wrong with the body. Default: Bad Request. */
  invalidBody?: string
  /** What clients of this endpoint read of an error beside what every error says. */
  errorFields?: (error: AppError) => ErrorDetail
  /** Which budget of calls it counts against. Default: `read` for GET, else `work`. */
  lane?: Lane
  /** Where the names of options without effect go: beside the data, or in it. */
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
  // The list holds endpoints of many shapes; each handler only ever meets values that its own schemas made.
  return endpoint as unknown as Endpoint
}

/** Every answer that is not an error. */
export function envelope<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ success: z.literal(true), ...shape, warning: z.string().optional() })
}

export function ok<Fields extends object>(fields: Fields): { success: true } & Fields {
  return { success: true, ...fields }
}

/** What an endpoint answers that lists items page by page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return envelope({ data: z.array(item), cursor: z.string().nullable(), has_more: z.boolean() })
}

export function okPage<Item>(data: Item[], cursor: string | null) {
  return ok({ data, cursor, has_more: cursor !== null })
}

/** The budget of calls that an endpoint counts against. */
export function rateLimitOf({ lane, method }: Pick<Endpoint, 'lane' | 'method'>): Lane {
  return lane ?? (method === 'GET' ? 'read' : 'work')
}

/** Codes any endpoint under /v2 may answer with. */
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

/** Codes any endpoint with a JSON body may answer with. */
const bodyErrors: ErrorCode[] = [
  'BAD_REQUEST_INVALID_JSON',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_UNFINISHED_REQUESTS',
]

/** What can keep a job of many pages from being started. */
export const startErrors: ErrorCode[] = [
  'BAD_URL',
  'TARGET_FORBIDDEN',
  'SCRAPE_ACTIONS_NOT_SUPPORTED',
  'OPTION_NOT_AVAILABLE',
  'CREDITS_EXHAUSTED',
  'IDEMPOTENCY_KEY_REUSED',
]

/** What can keep a page from being fetched. */
export const fetchErrors: ErrorCode[] = [
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_TOO_MANY_REDIRECTS',
  'SCRAPE_PAGE_TOO_LARGE',
]

/** What can keep a file from being converted. */
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

/** Whether a call may come without a body: every field has a default. A form is its file. */
export function mayOmitBody({ body, takesFile }: Endpoint): boolean {
  return body !== undefined && !takesFile && body.safeParse({}).success
}

/** Every code the endpoint may answer with. */
export function listedCodes(endpoint: Endpoint): Set<ErrorCode> {
  const { access = 'team', body, errors = [] } = endpoint
  return new Set([...commonErrors, ...accessErrors[access], ...(body ? bodyErrors : []), ...errors])
}

export const jobId = z.object({ id: text('MAX_ID_LENGTH').describe('Id of the job.') })
