/**
 * Every character of the key can be written as an escape, so the text is searched for the key and for escapes of its characters. Only a
 * text that has one of them is parsed the slow way.
 */
const mayNamePrototype = /__proto__|\\u00(?:5f|6f|7[024])/i

/**
 * Parses JSON that a page or a model wrote, without its keys named `__proto__`. Code that copies such a key by assignment would
 * replace the prototype of an object.
 */
export function parseForeignJson(text: string): unknown {
  if (!mayNamePrototype.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
}

/** Parses JSON of a caller. Calls `refuse`, which throws, if it has a key named `__proto__`. */
export function parseCallerJson(text: string, refuse: () => never): unknown {
  if (!mayNamePrototype.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value) => (key === '__proto__' ? refuse() : value))
}
