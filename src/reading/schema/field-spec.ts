/** What is read for a field: the JSON Schema of a caller, compiled for the readers. */
export type FieldSpec = ObjectSpec | ListSpec | ValueSpec

export interface ObjectSpec {
  kind: 'object'
  label: Label
  fields: Map<string, FieldSpec>
  required: ReadonlySet<string>
}

export interface ListSpec {
  kind: 'list'
  label: Label
  item: FieldSpec
  most: number
}

export interface ValueSpec {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'any'
  label: Label
  /** The format of a text: `date`, `uri` and so on. */
  format: string | undefined
  /** The only values that it may have. */
  choices: readonly (string | number | boolean)[] | undefined
  bounds: ValueBounds
}

export interface ValueBounds {
  least?: number
  most?: number
  shortest?: number
  longest?: number
  pattern?: string
}

/** What a field is called, and what is said of it. */
export interface Label {
  name: string
  description: string
}
