import { z } from 'zod'
import type { Content } from '../content/content.ts'

/** One requested output: what may be asked, what comes back, and how it is made from the content of a page. */
export interface Format<Name extends string, Options extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: Name
  description: string
  options: Options
  output: Output
  render(content: Content, options: Fields<Options>): Fields<Output> | Promise<Fields<Output>>
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
