import { z } from 'zod'

/** Returns the shape without the rules for callers: a stricter rule must not make stored requests unreadable. */
export function storedShape<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  // The shape is built from the parts of the schema, so it has the same output type.
  return toStoredShape(schema) as z.ZodType<z.output<Schema>>
}

function toStoredShape(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return toObjectShape(schema)
  if (schema instanceof z.ZodArray) return z.array(toStoredShape(schema.element))
  if (schema instanceof z.ZodRecord) return z.record(z.string(), toStoredShape(schema.valueType))
  if (schema instanceof z.ZodOptional) return toStoredShape(schema.unwrap()).optional()
  if (schema instanceof z.ZodNullable) return toStoredShape(schema.unwrap()).nullable()
  if (schema instanceof z.ZodDefault)
    return toStoredShape(schema.unwrap()).default(() => schema.def.defaultValue)
  if (schema instanceof z.ZodUnion) return toUnionShape(schema)
  if (schema instanceof z.ZodPipe) return toPipeShape(schema)
  if (schema instanceof z.ZodString) return z.string()
  if (schema instanceof z.ZodNumber) return z.number()
  if (schema instanceof z.ZodBoolean) return z.boolean()
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || schema instanceof z.ZodUnknown)
    return schema
  throw new Error(`It is not known how a ${schema._zod.def.type} is kept.`)
}

function toObjectShape({ shape }: z.ZodObject): z.ZodObject {
  return z.looseObject(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, toStoredShape(field)])),
  )
}

function toUnionShape(schema: z.ZodUnion): z.ZodType {
  const [first, ...others] = schema.options.filter((option) => !isShorthand(option)).map(toStoredShape)
  if (!first) throw new Error('Nothing is left of a union.')
  if (others.length === 0) return first
  if (schema instanceof z.ZodDiscriminatedUnion) {
    // Each option was an object, or was derived from one.
    const objects = [first, ...others] as [z.ZodObject, ...z.ZodObject[]]
    return z.discriminatedUnion(schema.def.discriminator, objects)
  }
  return z.union([first, ...others])
}

/** The value of a shorthand is stored in the form of another option of the union. */
function isShorthand(option: z.core.$ZodType): boolean {
  return (
    option instanceof z.ZodPipe &&
    option.out instanceof z.ZodTransform &&
    (option.in instanceof z.ZodEnum || option.in instanceof z.ZodString)
  )
}

/** A preprocessed value is stored after preprocessing. A transformed object still has the fields of its input. */
function toPipeShape({ in: input, out: output }: z.ZodPipe): z.ZodType {
  if (input instanceof z.ZodTransform) return toStoredShape(output)
  if (output instanceof z.ZodTransform && input instanceof z.ZodObject) return toObjectShape(input)
  if (output instanceof z.ZodTransform && input instanceof z.ZodUnion) return toUnionShape(input)
  throw new Error('It is not known what a schema that changes its values makes of them.')
}
