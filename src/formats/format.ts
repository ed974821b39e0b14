import { z } from 'zod'
import { within } from '../base/bounded.ts'
import { bounds } from '../base/bounds.ts'
import { capitalised } from '../base/capitalised.ts'
import type { JsonText } from '../base/json-text.ts'
import type { CapturedFile, CapturePlan } from '../content/captures.ts'
import type { ChangeHistory } from '../content/diff.ts'
import type { AudioAnswer } from '../content/media/media.ts'
import type { Page } from '../content/page.ts'
import type { PageParts, PartWishes } from '../page-data/parts.ts'

/** What formats may use besides the content. */
export interface RenderKit {
  /** The page as it was fetched, with what was captured while it was open. */
  page: Page
  /** Whether it is a file that was converted: it has text, but nothing that only an open page shows. */
  isFile: boolean
  /** Keeps a file for a time and answers the address under which the caller can get it. */
  keepFile(file: CapturedFile, hours: number): Promise<string | JsonText>
  /** Earlier versions of the page; undefined where nothing may be kept of the call. */
  history: ChangeHistory | undefined
  /** The recording of the page, as MP3. */
  audio(): Promise<AudioAnswer>
  signal: AbortSignal
}

/**
 * What a format is made from:
 * - `page`: the page as it was read; a kept copy or a file that was sent will do
 * - `bytes`: the body as it was received
 * - `picture`: taken while the page is open, and kept with it
 * - `openPage`: taken while the page is open, and not kept
 * - `history`: earlier versions of the page
 * - `network`: more than the page, fetched for it
 */
export type FormatNeed = 'page' | 'bytes' | 'picture' | 'openPage' | 'history' | 'network'

/** One requested output: what may be asked, what comes back, and how it is made from the content of a page. */
export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  /** Clients know it, and it cannot be made here: its options are not looked at. */
  isAbsent?: true
  needs: FormatNeed
  /** Formats that must be asked for with it. */
  requires?: readonly string[]
  /** It is the only format of its request. */
  standsAlone?: true
  /** Credits on top of those of the page, where it could be made. */
  surcharge?: number
  /** Unknown options are taken out of a request and named in its warning: clients pass on those of other drivers. */
  toleratesOptions?: true
  options: Options
  /** Options of an example, for those that it cannot do without. */
  example?: z.input<z.ZodObject<Options>>
  output: Output
  /** Whether it takes this file as it is, so that its text is not needed. */
  takesFile?(page: Page): boolean
  /** What must be taken while the page is open, in a browser. */
  captures?(options: Fields<Options>): CapturePlan
  /** The parts of the page that it hands on: they are made where the page is read. */
  reads?(options: Fields<Options>): PartWishes
  /** The fields, or why they could not be made: the rest of the document comes back all the same. */
  render(
    content: PageParts,
    options: Fields<Options>,
    kit: RenderKit,
  ): Rendered<WrittenFields<Fields<Output>>> | Promise<Rendered<WrittenFields<Fields<Output>>>>
}

export type Rendered<Fields> = Fields | Unavailable

/** Not an error: it becomes a warning of the document. */
export interface Unavailable {
  unavailable: string
}

/** Values as they are, or as JSON already. */
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
  isAbsent?: true
  options: Options
}) {
  const strict = z.strictObject({ type: z.literal(format.name), ...format.options })
  // What is made of it is the same: the type alone, as the format has no options.
  const asked = format.isAbsent ? (loose(format.name) as unknown as typeof strict) : strict
  return asked.meta({ id: `${capitalised(format.name)}Format`, description: format.description })
}

/** With any options, of which nothing is kept. */
function loose<Name extends string>(name: Name) {
  return z
    .looseObject({ type: z.literal(name) })
    .superRefine(within('MAX_OPTION_BYTES'))
    .meta({ 'x-max-bytes': bounds.MAX_OPTION_BYTES.most })
    .transform(({ type }) => ({ type }))
}
