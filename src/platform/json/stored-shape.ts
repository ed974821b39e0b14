import { z } from 'zod'

/**
 * The schema of what a request was read into, for reading it again where it was kept: the same shape without the rules
 * that callers have to keep. Those were checked when it came, some of them at a price, and a rule that has become
 * stricter since must not make unreadable what was taken before. Keys that are not known stay; what has a default may be
 * missing.
 */
export function storedShape<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  // Built from the parts of the schema itself, so that it has the type of what those make.
  return shapeOf(schema) as z.ZodType<z.output<Schema>>
}

function shapeOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return objectShape(schema)
  if (schema instanceof z.ZodArray) return z.array(shapeOf(schema.element))
  if (schema instanceof z.ZodRecord) return z.record(z.string(), shapeOf(schema.valueType))
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap()).optional()
  if (schema instanceof z.ZodNullable) return shapeOf(schema.unwrap()).nullable()
  if (schema instanceof z.ZodDefault) return shapeOf(schema.unwrap()).default(() => schema.def.defaultValue)
  if (schema instanceof z.ZodUnion) return unionShape(schema)
  if (schema instanceof z.ZodPipe) return pipeShape(schema)
  if (schema instanceof z.ZodString) return z.string()
  if (schema instanceof z.ZodNumber) return z.number()
  if (schema instanceof z.ZodBoolean) return z.boolean()
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || schema instanceof z.ZodUnknown)
    return schema
  throw new Error(`It is not known how a ${schema._zod.def.type} is kept.`)
}

function objectShape({ shape }: z.ZodObject): z.ZodObject {
  return z.looseObject(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, shapeOf(field)])),
  )
}

function unionShape(schema: z.ZodUnion): z.ZodType {
  const [first, ...others] = schema.options.filter((option) => !isShorthand(option)).map(shapeOf)
  if (!first) throw new Error('Nothing is left of a union.')
  if (others.length === 0) return first
  if (schema instanceof z.ZodDiscriminatedUnion) {
    // Each of its members was an object, or was made from one.
    const objects = [first, ...others] as [z.ZodObject, ...z.ZodObject[]]
    return z.discriminatedUnion(schema.def.discriminator, objects)
  }
  return z.union([first, ...others])
}

/** A word that stands for an object: it was read into what another member of its union is read into. */
function isShorthand(option: z.core.$ZodType): boolean {
  return (
    option instanceof z.ZodPipe &&
    option.out instanceof z.ZodTransform &&
    (option.in instanceof z.ZodEnum || option.in instanceof z.ZodString)
  )
}

/** What is changed before it is read is kept as it was read; an object of which a part was taken has that part still. */
function pipeShape({ in: input, out: output }: z.ZodPipe): z.ZodType {
  if (input instanceof z.ZodTransform) return shapeOf(output)
  if (output instanceof z.ZodTransform && input instanceof z.ZodObject) return objectShape(input)
  // A member of a union that stands for another one is kept as that one.
  if (output instanceof z.ZodTransform && input instanceof z.ZodUnion) return unionShape(input)
  throw new Error('It is not known what a schema that changes its values makes of them.')
}
