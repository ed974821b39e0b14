import type { FieldSpec, Label, ValueSpec } from '../schema/field-spec.ts'
import type { ValueKind } from '../vocabulary/concept.ts'
import type { Unit } from '../vocabulary/units.ts'

const notNumbers: ReadonlySet<ValueKind> = new Set([
  ...(['date', 'time', 'yes'] as const),
  'name',
  'address',
  'image',
  'email',
  'phone',
  'steps',
  'text',
  'code',
])

/** A date is no name, however it is called, and a yes no price. */
export function acceptsOf(spec: FieldSpec, unit: Unit | undefined): (kind: ValueKind) => boolean {
  const inner = spec.kind === 'list' ? spec.item : spec
  if (inner.kind === 'object') return () => true
  if (inner.kind === 'boolean') return (kind) => kind === 'yes'
  if (inner.kind === 'number' || inner.kind === 'integer')
    return (kind) => !notNumbers.has(kind) && (kind !== 'duration' || !unit || unit.of === 'time')
  const kind = inner.kind === 'list' ? undefined : kindOfValue(inner)
  if (kind === 'address') return (other) => other === 'address' || other === 'image'
  return kind === 'date' || kind === 'email' ? (other) => other === kind : () => true
}

export function isNumeric(spec: FieldSpec): boolean {
  const inner = spec.kind === 'list' ? spec.item : spec
  return inner.kind === 'number' || inner.kind === 'integer'
}

/** What is known of a field by its names. */
interface Meaning {
  own: readonly string[]
  kind: ValueKind | undefined
  unit: Unit | undefined
  bound: 'low' | 'high' | undefined
}

/** What the values look like: by what is meant, else by the type. */
export function kindOf(names: Meaning, spec: FieldSpec, { description }: Label): ValueKind | undefined {
  const isText = spec.kind === 'text' && spec.format === undefined
  const isTime =
    /^(?:time|uhrzeit|heure|hora|ora)$/.test(names.own.at(-1) ?? '') ||
    /\bHH:?MM\b|uhrzeit|time of day|24 hours/i.test(description)
  if (isText && isTime && names.kind === 'date') return 'time'
  if (names.kind === undefined && (names.unit?.of === 'money' || names.bound)) return 'price'
  // The words may mean another thing: what is asked for as a date is no price.
  const ofType = spec.kind === 'list' || spec.kind === 'object' ? undefined : kindOfValue(spec)
  if (ofType === 'date' || ofType === 'email' || ofType === 'address')
    return names.kind === 'image' ? 'image' : ofType
  if (ofType === 'yes' && names.kind !== 'yes') return 'yes'
  return names.kind ?? ofType
}

const kindOfFormat: Record<string, ValueKind> = {
  ...{ date: 'date', 'date-time': 'date', duration: 'duration', email: 'email' },
  ...{ uri: 'address', url: 'address', 'uri-reference': 'address' },
}

function kindOfValue({ kind, format }: ValueSpec): ValueKind | undefined {
  if (format !== undefined && kindOfFormat[format]) return kindOfFormat[format]
  if (kind === 'number' || kind === 'integer') return 'measure'
  return kind === 'boolean' ? 'yes' : undefined
}
