interface Field {
  name: string
  type: string
  note: string | undefined
}

export interface Fields {
  required: Field[]
  optional: Field[]
}

/** Words that cannot be names of fields in a class. */
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/**
 * A dictionary with known fields. Base classes tell fields that are always there from others: the marks for single fields
 * need a newer Python, or a package while the program runs.
 */
export function typedDict(name: string, { required, optional }: Fields, note: string | undefined): string {
  const doc = note ? `    """${docText(note)}"""\n` : ''
  const odd = { required: required.filter(isOdd), optional: optional.filter(isOdd) }
  const parts = [
    ...byCall(`_${name}Named`, odd.required, ''),
    ...byCall(`_${name}NamedOptional`, odd.optional, ', total=False'),
  ]
  const plain = required.filter((field) => !isOdd(field))
  const rest = optional.filter((field) => !isOdd(field))
  if (rest.length === 0 && parts.length === 0) return classText(name, ['TypedDict'], doc + fieldLines(plain))
  if (plain.length > 0)
    parts.push({
      name: `_${name}Required`,
      text: classText(`_${name}Required`, ['TypedDict'], fieldLines(plain)),
    })
  const bases = parts.length > 0 ? parts.map((part) => part.name) : ['TypedDict']
  const last = classText(name, [...bases, 'total=False'], doc + fieldLines(rest) || '    pass')
  return [...parts.map((part) => part.text), last].join('\n\n')
}

interface Part {
  name: string
  text: string
}

/** A class has no place for these names; a call has. */
function byCall(name: string, fields: Field[], total: string): Part[] {
  if (fields.length === 0) return []
  const pairs = fields.map((field) => `    ${JSON.stringify(field.name)}: ${JSON.stringify(field.type)},`)
  return [{ name, text: `\n${name} = TypedDict("${name}", {\n${pairs.join('\n')}\n}${total})` }]
}

function isOdd({ name }: Field): boolean {
  return keywords.has(name) || !/^[A-Za-z_]\w*$/.test(name)
}

function classText(name: string, bases: string[], body: string): string {
  return `\nclass ${name}(${bases.join(', ')}):\n${body}`
}

function fieldLines(fields: Field[]): string {
  return fields.map(fieldText).join('\n')
}

function fieldText({ name, type, note }: Field): string {
  return `    ${name}: ${type}${note ? `\n    """${docText(note)}"""` : ''}`
}

/** Backslashes and quotes of a description must not end the text early or turn into other characters. */
function docText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')
}

export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** `diff_json` and `diffJson` → `DiffJson`, as part of the name of a class. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[\W_]+)(\w)/g, (_, first: string) => first.toUpperCase())
}

/** `redactPII` → `redact_pii`, `ignoreInvalidURLs` → `ignore_invalid_urls`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z](?!s?\b))/g, '$1_$2')
    .toLowerCase()
}
