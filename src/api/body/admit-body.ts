import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import type { MaybePromise } from '../../platform/functions.ts'
import type { App } from '../app.ts'
import { isObject } from '../ignored-options.ts'

interface BodyCall {
  team: Team
  body: unknown
  /** How the text of an error about the body begins. */
  prefix?: string | undefined
  signal: () => AbortSignal
}

type Readers = Pick<App, 'readSchema' | 'findInvalidSelector'>

/**
 * Reads each JSON schema and each CSS selector of a validated body in a worker thread, before the endpoint runs. Reading one
 * takes work that its size does not show, so neither validation nor a handler may do it on the main thread.
 */
export function admitBody(app: Readers, call: BodyCall): MaybePromise<void> {
  const schemas = schemasIn(call.body)
  const selectors = selectorsIn(call.body)
  if (schemas.length + selectors.length > 0) return readAll(app, { ...call, schemas, selectors })
}

type Path = (string | number)[]

interface FoundSchema {
  path: Path
  schema: object
  /** True if the whole request is about this schema, so it has to name something. */
  isWhole: boolean
}

interface FoundSelector {
  path: Path
  selector: string
}

interface Found extends BodyCall {
  schemas: readonly FoundSchema[]
  selectors: readonly FoundSelector[]
}

async function readAll(
  app: Readers,
  { schemas, selectors, team, prefix = '', signal }: Found,
): Promise<void> {
  if (selectors.length > 0) {
    const texts = selectors.map(({ selector }) => selector)
    const wrong = await app.findInvalidSelector(team, texts, signal())
    const found = wrong === undefined ? undefined : selectors[wrong]
    if (found) throw at(found.path, badRequest(`"${found.selector}" is not a CSS selector`), prefix)
  }
  for (const { path, schema, isWhole } of schemas) {
    const read = await app.readSchema(team, schema, signal()).catch((thrown) => {
      throw thrown instanceof AppError && thrown.code === 'BAD_REQUEST' ? at(path, thrown, prefix) : thrown
    })
    if (isWhole && read.asksForNothing) throw at(path, badRequest(nothingAsked), prefix)
  }
}

const nothingAsked = 'The schema names no properties. Name those that shall be read.'

const badRequest = (message: string) => new AppError('BAD_REQUEST', {}, { message })

function at(path: Path, { message, detail }: AppError, prefix: string): AppError {
  const details = [{ code: 'custom', path, message }]
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  const text = path.length === 1 ? message : `${place.slice(1)}: ${message}`
  return new AppError('BAD_REQUEST', { ...detail, details }, { message: prefix + text })
}

/** A request has a schema of its own, or one in each of its formats, or in those of its pages. */
function schemasIn(body: unknown): FoundSchema[] {
  if (!isObject(body)) return []
  const ofFormats = scrapeOptionsIn(body).flatMap(({ path, options }) =>
    formatsIn(options, path).flatMap((format) =>
      isObject(format.options.schema)
        ? [{ path: [...format.path, 'schema'], schema: format.options.schema, isWhole: false }]
        : [],
    ),
  )
  return isObject(body.schema)
    ? [{ path: ['schema'], schema: body.schema, isWhole: true }, ...ofFormats]
    : ofFormats
}

function selectorsIn(body: unknown): FoundSelector[] {
  if (!isObject(body)) return []
  return scrapeOptionsIn(body).flatMap(({ path, options }) => [
    ...['includeTags', 'excludeTags'].flatMap((name) =>
      listIn(options, name).flatMap((selector) =>
        typeof selector === 'string' ? [{ path: [...path, name], selector }] : [],
      ),
    ),
    ...formatsIn(options, path).flatMap((format) =>
      listIn(format.options, 'selectors').flatMap((pair, index) =>
        isObject(pair) && typeof pair.selector === 'string'
          ? [{ path: [...format.path, 'selectors', index, 'selector'], selector: pair.selector }]
          : [],
      ),
    ),
  ])
}

interface Options {
  path: Path
  options: Record<string, unknown>
}

/** The options of a scrape stand in the body itself, or in its `scrapeOptions`. */
function scrapeOptionsIn(body: Record<string, unknown>): Options[] {
  const { scrapeOptions } = body
  const own = { path: [], options: body }
  return isObject(scrapeOptions) ? [own, { path: ['scrapeOptions'], options: scrapeOptions }] : [own]
}

function formatsIn(options: Record<string, unknown>, path: Path): Options[] {
  return listIn(options, 'formats').flatMap((format, index) =>
    isObject(format) ? [{ path: [...path, 'formats', index], options: format }] : [],
  )
}

function listIn(options: Record<string, unknown>, name: string): unknown[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}
