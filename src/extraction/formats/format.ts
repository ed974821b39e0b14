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

export interface RenderContext {
  page: Page
  /** A converted file has text, but no data of an open page. */
  isFile: boolean
  storeFile(file: CapturedFile, hours: number): Promise<string | JsonText>
  warn(text: string): void
  /** Waives the surcharge, because the charged data could not be produced. */
  waive(): void
  history: ChangeHistory | undefined
  audio(): Promise<AudioResult>
  /** Undefined if none is configured. A call fails with MODEL_FAILED or MODEL_BUDGET_SPENT. */
  model: TeamModel | undefined
  /** Runs in a worker thread, because the cost depends on the input of a caller or a model. */
  work: ValueWork
  /** Computes similarities from -1 to 1, or undefined if they could not be computed in time. */
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

export type ReadingModel = Pick<TeamModel, 'inputTokens' | 'extract'>

/**
 * - `page`: the fetched page, a cached copy or an uploaded file
 * - `bytes`: the body as received
 * - `picture`: screenshot of the open page, cached with it
 * - `openPage`: data of the open page, not cached
 * - `history`: earlier versions of the page
 * - `network`: further resources, fetched for the format
 */
export type FormatSource = 'page' | 'bytes' | 'picture' | 'openPage' | 'history' | 'network'

export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  /** Set if clients may request the format, but this version cannot produce it; its options are ignored. */
  absence?: 'unavailable' | 'removed'
  readsFrom: FormatSource
  /** Calls the language model, if one is configured. Such a request takes a slot even for a cached page. */
  usesModel?: true
  isDerivedFromMarkdown?: true
  requires?: readonly string[]
  excludes?: readonly string[]
  isExclusive?: true
  surcharge?: number | ((options: Fields<Options>) => number)
  /** Unknown options are removed with a warning instead of rejected: clients forward options of other drivers. */
  toleratesUnknownOptions?: true
  /** An alias is never rendered itself. */
  aliasTarget?(options: Fields<Options>): { type: string } & Record<string, unknown>
  options: Options
  check?(options: Fields<Options>): { option: string; problem: string } | undefined
  example?: z.input<z.ZodObject<Options>>
  output: Output
  /** The format uses this file unchanged, so that its text is not needed. */
  takesFile?(page: Page): boolean
  captures?(options: Fields<Options>): CapturePlan
  reads?(options: Fields<Options>): PartRequests
  /** The rest of the document is returned even if the fields could not be produced. */
  render(
    content: PageParts,
    options: Fields<Options>,
    context: RenderContext,
  ): MaybePromise<WrittenFields<Fields<Output>> | Unavailable>
}

/** The reason becomes a warning of the document, not an error. */
export interface Unavailable {
  unavailable: string
}

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

export function formatRequest<Name extends string, Options extends z.ZodRawShape>(
  format: Pick<
    Format<Name, Options, z.ZodRawShape>,
    'name' | 'description' | 'absence' | 'options' | 'check'
  >,
) {
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

function ignoringOptions<Name extends string>(name: Name) {
  return z
    .looseObject({ type: z.literal(name) })
    .superRefine(boundedJson('MAX_OPTION_BYTES'))
    .meta({ 'x-max-bytes': bounds.MAX_OPTION_BYTES.most })
    .transform(({ type }) => ({ type }))
}
