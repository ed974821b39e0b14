/**
 * What the API description says of an object that has every field of a named one: it refers to that instead of
 * repeating it. `meta` of a schema takes it.
 */
export function includes(name: string): { allOf: { $ref: string }[] } {
  return { allOf: [{ $ref: `#/$defs/${name}` }] }
}
