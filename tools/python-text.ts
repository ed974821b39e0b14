interface Field {
  name: string
  type: string
  description: string | undefined
}

export interface Fields {
  required: Field[]
  optional: Field[]
}

/** Python keywords, which cannot be field names of a class. */
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/**
 * Returns a TypedDict class. Base classes separate required from optional fields, because markers for single fields
 * need a newer Python or a runtime dependency.
 */
export function typedDict(
  name: string,
  { required, optional }: Fields,
  description: string | undefined,
): string {
  const docstring = description ? `    """${docText(description)}"""\n` : ''
  const irregular = {
    required: required.filter(needsFunctionalForm),
    optional: optional.filter(needsFunctionalForm),
  }
  const baseClasses = [
    ...functionalTypedDict(`_${name}Named`, irregular.required, ''),
    ...functionalTypedDict(`_${name}NamedOptional`, irregular.optional, ', total=False'),
  ]
  const regularRequired = required.filter((field) => !needsFunctionalForm(field))
  const regularOptional = optional.filter((field) => !needsFunctionalForm(field))
  if (regularOptional.length === 0 && baseClasses.length === 0)
    return classText(name, ['TypedDict'], docstring + fieldLines(regularRequired))
  if (regularRequired.length > 0)
    baseClasses.push({
      name: `_${name}Required`,
      text: classText(`_${name}Required`, ['TypedDict'], fieldLines(regularRequired)),
    })
  const bases = baseClasses.length > 0 ? baseClasses.map((part) => part.name) : ['TypedDict']
  const mainClass = classText(
    name,
    [...bases, 'total=False'],
    docstring + fieldLines(regularOptional) || '    pass',
  )
  return [...baseClasses.map((part) => part.text), mainClass].join('\n\n')
}

interface BaseClass {
  name: string
  text: string
}

/** Returns the functional form of a TypedDict, which permits field names that are not valid in a class. */
function functionalTypedDict(name: string, fields: Field[], total: string): BaseClass[] {
  if (fields.length === 0) return []
  const pairs = fields.map((field) => `    ${JSON.stringify(field.name)}: ${JSON.stringify(field.type)},`)
  return [{ name, text: `\n${name} = TypedDict("${name}", {\n${pairs.join('\n')}\n}${total})` }]
}

function needsFunctionalForm({ name }: Field): boolean {
  return keywords.has(name) || !/^[A-Za-z_]\w*$/.test(name)
}

function classText(name: string, bases: string[], body: string): string {
  return `\nclass ${name}(${bases.join(', ')}):\n${body}`
}

function fieldLines(fields: Field[]): string {
  return fields.map(fieldText).join('\n')
}

function fieldText({ name, type, description }: Field): string {
  return `    ${name}: ${type}${description ? `\n    """${docText(description)}"""` : ''}`
}

/** Escapes backslashes and quotes, so that they neither end the docstring nor become other characters. */
function docText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')
}

export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** Converts `diff_json` and `diffJson` to `DiffJson`, as part of a class name. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[\W_]+)(\w)/g, (_, first: string) => first.toUpperCase())
}

/** Converts `redactPII` to `redact_pii`, and `ignoreInvalidURLs` to `ignore_invalid_urls`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z](?!s?\b))/g, '$1_$2')
    .toLowerCase()
}
