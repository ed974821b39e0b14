import { z } from 'zod'
import type { Lane } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import { boundedText } from '../platform/bounded.ts'
import type { AppError, ErrorCode, ErrorDetail } from '../platform/errors.ts'
import type { App } from './app.ts'
import type { Upload } from './body/multipart.ts'
import type { Streamed } from './send-response.ts'

export interface Call<Params, Query, Body> {
  app: App
  team: Team
  params: Params
  query: Query
  body: Body
  upload: Upload
  idempotencyKey: string | undefined
  publicUrl: string
  /** Aborts when the client disconnects. Created on demand, because most responses are ready earlier. */
  signal(): AbortSignal
  /** Aborts when the service stops, which ends streams that do not end otherwise. */
  stopping: AbortSignal
}

type Schema = z.ZodType

export type Access = 'team' | 'operator' | 'machine'

export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  summary: string
  tag: string
  isDeprecated?: true
  access?: Access
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** Content types and description of a streamed response. The handler returns a `Streamed`. */
  streams?: { types: string[]; description: string }
  /** True if the body is a multipart form: a file, and `body` as JSON in the field `options`. */
  takesFile?: true
  unsupportedFields?: Record<string, string>
  errors?: ErrorCode[]
  /** Prefix of the message of body validation errors. Default: Bad Request. */
  invalidBody?: string
  errorFields?: (error: AppError) => ErrorDetail
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

/** Returns `defineEndpoint()` for the endpoints of one section of the reference. */
export const endpointsOf =
  (group: Pick<Endpoint, 'tag' | 'access'>) =>
  <Params extends Schema, Query extends Schema, Body extends Schema, Response extends Schema>(
    endpoint: Omit<Endpoint<Params, Query, Body, Response>, 'tag' | 'access'>,
  ): Endpoint =>
    defineEndpoint({ ...group, ...endpoint } as unknown as Endpoint)

export function envelope<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ success: z.literal(true), ...shape, warning: z.string().optional() })
}

export function ok<Fields extends object>(fields: Fields): { success: true } & Fields {
  return { success: true, ...fields }
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return envelope({ data: z.array(item), cursor: z.string().nullable(), has_more: z.boolean() })
}

export function okPage<Item>(data: Item[], cursor: string | null) {
  return ok({ data, cursor, has_more: cursor !== null })
}

export function rateLimitOf({ rateLimitClass, method }: Pick<Endpoint, 'rateLimitClass' | 'method'>): Lane {
  return rateLimitClass ?? (method === 'GET' ? 'read' : 'work')
}

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

const bodyErrors: ErrorCode[] = [
  'BAD_REQUEST_INVALID_JSON',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_UNFINISHED_REQUESTS',
]

export const startErrors: ErrorCode[] = [
  'BAD_URL',
  'TARGET_FORBIDDEN',
  'SCRAPE_ACTIONS_NOT_SUPPORTED',
  'OPTION_NOT_AVAILABLE',
  'CREDITS_EXHAUSTED',
  'IDEMPOTENCY_KEY_REUSED',
]

export const fetchErrors: ErrorCode[] = [
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_TOO_MANY_REDIRECTS',
  'SCRAPE_PAGE_TOO_LARGE',
]

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

/** Forms always need a body, since it holds the file. */
export function mayOmitBody({ body, takesFile }: Endpoint): boolean {
  return body !== undefined && !takesFile && body.safeParse({}).success
}

export function listedCodes(endpoint: Endpoint): Set<ErrorCode> {
  const { access = 'team', body, errors = [] } = endpoint
  return new Set([...commonErrors, ...accessErrors[access], ...(body ? bodyErrors : []), ...errors])
}

export const integerInQuery = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

export const jobId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the job.') })
