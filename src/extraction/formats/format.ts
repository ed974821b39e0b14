import { z } from 'zod'
import type { ChangeHistory } from '../../content/diff.ts'
import type { CapturedFile, CapturePlan, Page } from '../../content/page.ts'
import { boundedJson } from '../../platform/bounded.ts'
import { bounds } from '../../platform/bounds.ts'
import type { MaybePromise } from '../../platform/functions.ts'
import type { JsonText } from '../../platform/json/json.ts'
import type { TeamModel } from '../../platform/ports/language-model.ts'
import { capitalised } from '../../platform/text.ts'
import type { PageClaims, VerifiedClaims } from '../grounding/ground.ts'
import type { AudioResult } from '../page-parts/media.ts'
import type { PageParts, PartRequests } from '../page-parts/parts.ts'
import type { ParsedSchema } from '../schema/read-schema.ts'

/** Context for rendering a format, in addition to the page parts. */
export interface RenderContext {
  /** Fetched page, with the data captured while it was open. */
  page: Page
  /** True for a converted file, which has text, but no data of an open page. */
  isFile: boolean
  /** Stores a file for a limited time and returns its download URL. */
  storeFile(file: CapturedFile, hours: number): Promise<string | JsonText>
  /** Adds a warning to the document, in addition to the result of the format. */
  warn(text: string): void
  /** Waives the surcharge of the format, because the charged data could not be produced. */
  waive(): void
  /** Earlier versions of the page; undefined with zero data retention. */
  history: ChangeHistory | undefined
  /** Resolves to the audio of the page as MP3, or to the reason why there is none. */
  audio(): Promise<AudioResult>
  /**
   * Language model with the token budget of the calling team; undefined if none is configured. A call fails with
   * MODEL_FAILED, or with MODEL_BUDGET_SPENT once the daily budget of the team is spent.
   */
  model: TeamModel | undefined
  /** Operations whose cost depends on caller or model input; they run in a worker thread. */
  work: ValueWork
  /** Similarity of a query and English texts, from -1 to 1; undefined if it could not be computed in time. */
  sentences: SentenceSimilarity | undefined
  signal: AbortSignal
}

export interface ValueWork {
  readSchema(schema: unknown): Promise<ParsedSchema>
  ground(claims: PageClaims): Promise<VerifiedClaims>
}

export type SentenceSimilarity = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<number[] | undefined>

/** Language model as used by formats: JSON extraction by schema. */
export type ReadingModel = Pick<TeamModel, 'inputTokens' | 'extract'>

/**
 * Source of a format:
 * - `page`: the fetched page, a cached copy or an uploaded file
 * - `bytes`: the body as received
 * - `picture`: screenshot of the open page, cached with it
 * - `openPage`: data of the open page, not cached
 * - `history`: earlier versions of the page
 * - `network`: further resources, fetched for the format
 */
export type FormatSource = 'page' | 'bytes' | 'picture' | 'openPage' | 'history' | 'network'

/** Output format: its options, its result, and how to render it from the content of a page. */
export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  /** Reason why this version cannot produce a format that clients may request; its options are ignored. */
  absence?: 'unavailable' | 'removed'
  readsFrom: FormatSource
  /**
   * True if the format calls the language model, if one is configured. Such a request takes a slot even for a cached
   * page.
   */
  usesModel?: true
  /** True if the format is derived from the Markdown, so that redaction applies to it. */
  isDerivedFromMarkdown?: true
  /** Formats that must be requested together with this format. */
  requires?: readonly string[]
  /** Formats that cannot be combined with this format, because they return the same fields. */
  excludes?: readonly string[]
  /** True if the format must be the only one of its request. */
  isExclusive?: true
  /** Additional credits if the format was produced; a function if they depend on the options. */
  surcharge?: number | ((options: Fields<Options>) => number)
  /**
   * True if unknown options are removed with a warning instead of rejected: clients forward options of other drivers.
   */
  toleratesUnknownOptions?: true
  /** Returns the request that an alias represents. An alias is never rendered itself. */
  aliasTarget?(options: Fields<Options>): { type: string } & Record<string, unknown>
  options: Options
  /** Returns an error if these options cannot be combined, with the option to change. */
  check?(options: Fields<Options>): { option: string; problem: string } | undefined
  /** Example values of the required options. */
  example?: z.input<z.ZodObject<Options>>
  output: Output
  /** True if the format uses this file unchanged, so that its text is not needed. */
  takesFile?(page: Page): boolean
  /** Returns the data to capture while the page is open in a browser. */
  captures?(options: Fields<Options>): CapturePlan
  /** Returns the page parts that the format needs. They are built in the thread that reads the page. */
  reads?(options: Fields<Options>): PartRequests
  /** Returns the fields, or the reason why they could not be produced. The rest of the document is returned anyway. */
  render(
    content: PageParts,
    options: Fields<Options>,
    context: RenderContext,
  ): MaybePromise<Rendered<WrittenFields<Fields<Output>>>>
}

type Rendered<Fields> = Fields | Unavailable

/** Reason why a format was not produced. It becomes a warning of the document, not an error. */
export interface Unavailable {
  unavailable: string
}

/** Fields whose values are plain or serialized as JSON. */
type WrittenFields<Value> = { [Name in keyof Value]: Written<Value[Name]> }

type Written<Value> =
  | Value
  | JsonText
  | (Value extends string | number | boolean | null | undefined
      ? never
      : Value extends readonly (infer Item)[]
        ? Written<Item>[]
        : WrittenFields<Value>)

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

export function defineFormat<
  const Name extends string,
  Options extends z.ZodRawShape,
  Output extends z.ZodRawShape,
>(format: Format<Name, Options, Output>): Format<Name, Options, Output> {
  return format
}

/** Creates the schema of a format request in object form, with type and options. */
export function formatRequest<Name extends string, Options extends z.ZodRawShape>(format: {
  name: Name
  description: string
  absence?: 'unavailable' | 'removed'
  options: Options
  check?: Format<Name, Options, z.ZodRawShape>['check']
}) {
  const shape = z.strictObject({ type: z.literal(format.name), ...format.options })
  const { check } = format
  // The parsed value contains the options of the format, in addition to its type.
  const strict = check
    ? shape.superRefine((options, context) => {
        const problem = check(options as Fields<Options>)
        if (problem) context.addIssue({ code: 'custom', path: [problem.option], message: problem.problem })
      })
    : shape
  // Both schemas produce only the type, because an unavailable format has no options.
  const requestSchema = format.absence ? (ignoringOptions(format.name) as unknown as typeof strict) : strict
  return requestSchema.meta({
    ...{ id: `${capitalised(format.name)}Format`, description: format.description },
    ...(format.absence === 'removed' && { deprecated: true }),
  })
}

/** Accepts and discards any options. */
function ignoringOptions<Name extends string>(name: Name) {
  return z
    .looseObject({ type: z.literal(name) })
    .superRefine(boundedJson('MAX_OPTION_BYTES'))
    .meta({ 'x-max-bytes': bounds.MAX_OPTION_BYTES.most })
    .transform(({ type }) => ({ type }))
}
