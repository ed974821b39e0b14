import type { Team } from '../../accounts/team.ts'
import { isObject } from '../../extraction/schema/field-spec.ts'
import { AppError } from '../../platform/errors.ts'
import type { MaybePromise } from '../../platform/functions.ts'
import type { App } from '../app.ts'

interface BodyContext {
  team: Team
  body: unknown
  prefix?: string | undefined
  signal: () => AbortSignal
}

type BodyCheckers = Pick<App, 'readSchema' | 'findInvalidSelector'>

/** Uses a worker thread: the cost of parsing schemas and selectors does not depend only on their size. */
export function admitBody(app: BodyCheckers, call: BodyContext): MaybePromise<void> {
  const { body } = call
  if (!isObject(body)) return
  const requestSchema = isObject(body.schema)
    ? [{ path: ['schema'], schema: body.schema, coversRequest: true }]
    : []
  const optionSets = scrapeOptionsIn(body)
  const schemas = [...requestSchema, ...optionSets.flatMap(schemasIn)]
  const selectors = optionSets.flatMap(selectorsIn)
  if (schemas.length + selectors.length > 0) return checkAll(app, { ...call, schemas, selectors })
}

type Path = (string | number)[]

interface FoundSchema {
  path: Path
  schema: object
  /** True if the schema covers the entire request. It must then name at least one property. */
  coversRequest: boolean
}

interface FoundSelector {
  path: Path
  selector: string
}

async function checkAll(
  app: BodyCheckers,
  parts: BodyContext & { schemas: FoundSchema[]; selectors: FoundSelector[] },
): Promise<void> {
  const { schemas, selectors, team, prefix = '', signal } = parts
  if (selectors.length > 0) {
    const texts = selectors.map(({ selector }) => selector)
    const invalidIndex = await app.findInvalidSelector(team, texts, signal())
    const invalid = invalidIndex === undefined ? undefined : selectors[invalidIndex]
    if (invalid) throw atPath(invalid.path, badRequest(`"${invalid.selector}" is not a CSS selector`), prefix)
  }
  for (const { path, schema, coversRequest } of schemas) {
    const parsed = await app.readSchema(team, schema, signal()).catch((thrown) => {
      throw thrown instanceof AppError && thrown.code === 'BAD_REQUEST'
        ? atPath(path, thrown, prefix)
        : thrown
    })
    if (coversRequest && parsed.isEmpty) throw atPath(path, badRequest(emptySchemaMessage), prefix)
  }
}

const emptySchemaMessage = 'The schema names no properties. Name those that shall be read.'

const badRequest = (message: string) => new AppError('BAD_REQUEST', {}, { message })

function atPath(path: Path, { message, detail }: AppError, prefix: string): AppError {
  const details = [{ code: 'custom', path, message }]
  const pathText = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  const text = path.length === 1 ? message : `${pathText.slice(1)}: ${message}`
  return new AppError('BAD_REQUEST', { ...detail, details }, { message: prefix + text })
}

function schemasIn(optionSet: Options): FoundSchema[] {
  return formatsIn(optionSet).flatMap(({ path, options: { schema } }) =>
    isObject(schema) ? [{ path: [...path, 'schema'], schema, coversRequest: false }] : [],
  )
}

function selectorsIn({ path, options }: Options): FoundSelector[] {
  return [
    ...['includeTags', 'excludeTags'].flatMap((name) =>
      listIn(options, name).flatMap((selector) =>
        typeof selector === 'string' ? [{ path: [...path, name], selector }] : [],
      ),
    ),
    ...formatsIn({ path, options }).flatMap((format) =>
      listIn(format.options, 'selectors').flatMap((pair, index) =>
        isObject(pair) && typeof pair.selector === 'string'
          ? [{ path: [...format.path, 'selectors', index, 'selector'], selector: pair.selector }]
          : [],
      ),
    ),
  ]
}

interface Options {
  path: Path
  options: Record<string, unknown>
}

function scrapeOptionsIn(body: Record<string, unknown>): Options[] {
  const { scrapeOptions } = body
  const nested = isObject(scrapeOptions) ? [{ path: ['scrapeOptions'], options: scrapeOptions }] : []
  return [{ path: [], options: body }, ...nested]
}

function formatsIn({ path, options }: Options): Options[] {
  return listIn(options, 'formats').flatMap((format, index) =>
    isObject(format) ? [{ path: [...path, 'formats', index], options: format }] : [],
  )
}

function listIn(options: Record<string, unknown>, name: string): unknown[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}
