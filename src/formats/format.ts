import { z } from 'zod'
import type { CapturedFile, CapturePlan } from '../content/captures.ts'
import type { Content } from '../content/content.ts'
import type { ChangeHistory } from '../content/diff.ts'
import type { AudioAnswer } from '../content/media.ts'
import type { Page } from '../content/page.ts'
import type { ContentPart } from '../content/parts.ts'

/** What formats may use besides the content. */
export interface RenderKit {
  /** The page as it was fetched, with what was captured while it was open. */
  page: Page
  /** Keeps a file for a time and answers the address under which the caller can get it. */
  keepFile(file: CapturedFile, hours: number): Promise<string>
  /** Earlier versions of the page; undefined where nothing may be kept of the call. */
  history: ChangeHistory | undefined
  /** The recording of the page, as MP3. */
  audio(): Promise<AudioAnswer>
  signal: AbortSignal
}

/** One requested output: what may be asked, what comes back, and how it is made from the content of a page. */
export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  options: Options
  output: Output
  /** What must be taken while the page is open, in a browser. */
  captures?(options: Fields<Options>): CapturePlan
  /** The parts of the content that it reads: they are made in another thread. What is not named is made when asked for. */
  reads?: readonly ContentPart[]
  /** The fields, or why they could not be made: the rest of the document comes back all the same. */
  render(
    content: Content,
    options: Fields<Options>,
    kit: RenderKit,
  ): Rendered<Fields<Output>> | Promise<Rendered<Fields<Output>>>
}

export type Rendered<Fields> = Fields | Unavailable

/** Not an error: it becomes a warning of the document. */
export interface Unavailable {
  unavailable: string
}

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
  options: Options
}) {
  return z.strictObject({ type: z.literal(format.name), ...format.options }).describe(format.description)
}
