import { z } from 'zod'
import * as all from './all.ts'
import { formatRequest } from './format.ts'

type All = typeof all
export type FormatName = All[keyof All]['name']

export const formats = Object.values(all)

export const formatNames = formats.map((format) => format.name).sort() as [FormatName, ...FormatName[]]

const objectForm = z.discriminatedUnion(
  'type',
  // One member per format: the tuple that the union wants is exactly the list, which is not empty.
  formats.map((format) => formatRequest(format)) as [
    ReturnType<typeof formatRequest<FormatName, Record<never, never>>>,
  ],
)

export type FormatRequest = z.output<typeof objectForm>

const available = formatNames.join(', ')

/** One entry of `formats`: a bare name, or an object with the name as `type` and the format's options. */
export const formatEntry = z.union(
  [z.enum(formatNames).transform((type) => objectForm.parse({ type })), objectForm],
  { error: () => `Not a format that is available here. Available: ${available}.` },
)

/** The fields a document may have by its formats; each is there only when its format was asked for. */
export const formatOutputs = Object.assign(
  {},
  ...formats.map((format) =>
    Object.fromEntries(Object.entries(format.output).map(([name, schema]) => [name, schema.optional()])),
  ),
) as Optional<MergedOutputs>

type Optional<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> }
type MergedOutputs = Intersection<All[keyof All]['output']> & z.ZodRawShape
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer Merged,
) => void
  ? Merged
  : never
