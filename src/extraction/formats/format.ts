import { z } from 'zod'
import type { ChangeHistory } from '../../content/diff.ts'
import type { CapturedFile, CapturePlan, Page } from '../../content/page.ts'
import { within } from '../../platform/bounded.ts'
import { bounds } from '../../platform/bounds.ts'
import type { MaybePromise } from '../../platform/functions.ts'
import type { JsonText } from '../../platform/json/json.ts'
import type { TeamModel } from '../../platform/ports/language-model.ts'
import { capitalised } from '../../platform/text.ts'
import type { PageClaims, VerifiedClaims } from '../grounding/ground.ts'
import type { AudioAnswer } from '../page-parts/media.ts'
import type { PageParts, PartRequests } from '../page-parts/parts.ts'
import type { ReadSchema } from '../schema/read-schema.ts'

/** What formats may use besides the content. */
export interface RenderContext {
  /** The page as it was fetched, with what was captured while it was open. */
  page: Page
  /** Whether it is a converted file: it has text, but nothing that needs an open page. */
  isFile: boolean
  /** Stores a file for a limited time and returns the URL at which the caller can download it. */
  keepFile(file: CapturedFile, hours: number): Promise<string | JsonText>
  /** Adds a warning to the document, beside what the format returns. */
  warn(text: string): void
  /** Takes no surcharge for the format, because what it is charged for could not be produced. */
  waive(): void
  /** Earlier versions of the page; undefined if nothing of the call may be kept. */
  history: ChangeHistory | undefined
  /** The recording of the page, as MP3. */
  audio(): Promise<AudioAnswer>
  /**
   * The language model, counted for the team of the call; undefined if none is configured. A call fails with MODEL_FAILED, or with
   * MODEL_BUDGET_SPENT once the day of the team is spent.
   */
  model: TeamModel | undefined
  /** Work that grows with what a caller or a model sent, done in a worker thread. */
  work: ValueWork
  /** How alike a query and texts in English are, from -1 to 1; undefined where that could not be found out in time. */
  sentences: SentenceSimilarity | undefined
  signal: AbortSignal
}

export interface ValueWork {
  readSchema(schema: unknown): Promise<ReadSchema>
  ground(claims: PageClaims): Promise<VerifiedClaims>
}

export type SentenceSimilarity = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<number[] | undefined>

/** What formats ask a language model: a value by a JSON schema. */
export type ReadingModel = Pick<TeamModel, 'inputTokens' | 'extract'>

/**
 * What a format is made from:
 * - `page`: the page as it was read; a cached copy or an uploaded file is enough
 * - `bytes`: the body as received
 * - `picture`: taken while the page is open, and cached with it
 * - `openPage`: taken while the page is open, and not cached
 * - `history`: earlier versions of the page
 * - `network`: further resources, fetched for the format
 */
export type FormatSource = 'page' | 'bytes' | 'picture' | 'openPage' | 'history' | 'network'

/** One requested output: its options, its result, and how to render it from the content of a page. */
export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  /** Clients know it, and this version cannot produce it: its options are ignored. */
  absence?: 'unavailable' | 'removed'
  readsFrom: FormatSource
  /** It asks the language model where one is configured, so it takes a slot even for a cached page. */
  usesModel?: true
  /** It is made from the Markdown, so what is redacted there is not in it. */
  isOfMarkdown?: true
  /** Formats that must be requested together with it. */
  requires?: readonly string[]
  /** Formats that cannot be requested together with it: they return the same fields. */
  excludes?: readonly string[]
  /** It must be the only format of its request. */
  standsAlone?: true
  /** Additional credits if it was produced; by its options, where those decide. */
  surcharge?: number | ((options: Fields<Options>) => number)
  /** Unknown options are removed from a request and named in its warning: clients pass on options of other drivers. */
  toleratesOptions?: true
  /** An older name: the request that it stands for. It is never rendered itself. */
  standsFor?(options: Fields<Options>): { type: string } & Record<string, unknown>
  options: Options
  /** Why these options cannot be combined, and which of them to change. */
  check?(options: Fields<Options>): { option: string; problem: string } | undefined
  /** Example values for its required options. */
  example?: z.input<z.ZodObject<Options>>
  output: Output
  /** Whether it uses this file unchanged, so that its text is not needed. */
  takesFile?(page: Page): boolean
  /** What must be captured while the page is open in a browser. */
  captures?(options: Fields<Options>): CapturePlan
  /** The parts of the page that it returns: they are produced where the page is read. */
  reads?(options: Fields<Options>): PartRequests
  /** The fields, or why they could not be produced: the rest of the document is returned anyway. */
  render(
    content: PageParts,
    options: Fields<Options>,
    kit: RenderContext,
  ): MaybePromise<Rendered<WrittenFields<Fields<Output>>>>
}

type Rendered<Fields> = Fields | Unavailable

/** Not an error: it becomes a warning of the document. */
export interface Unavailable {
  unavailable: string
}

/** Plain values, or values already serialised as JSON. */
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

/** The object form of a request for a format: its type and its options, nothing else. */
export function formatRequest<Name extends string, Options extends z.ZodRawShape>(format: {
  name: Name
  description: string
  absence?: 'unavailable' | 'removed'
  options: Options
  check?: Format<Name, Options, z.ZodRawShape>['check']
}) {
  const shape = z.strictObject({ type: z.literal(format.name), ...format.options })
  const { check } = format
  // What was parsed has the options of the format, besides its type.
  const strict = check
    ? shape.superRefine((options, context) => {
        const found = check(options as Fields<Options>)
        if (found) context.addIssue({ code: 'custom', path: [found.option], message: found.problem })
      })
    : shape
  // The result is the same: only the type, because the format has no options.
  const asked = format.absence ? (loose(format.name) as unknown as typeof strict) : strict
  return asked.meta({
    ...{ id: `${capitalised(format.name)}Format`, description: format.description },
    ...(format.absence === 'removed' && { deprecated: true }),
  })
}

/** With any options, which are discarded. */
function loose<Name extends string>(name: Name) {
  return z
    .looseObject({ type: z.literal(name) })
    .superRefine(within('MAX_OPTION_BYTES'))
    .meta({ 'x-max-bytes': bounds.MAX_OPTION_BYTES.most })
    .transform(({ type }) => ({ type }))
}
