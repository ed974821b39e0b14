import type { ReactNode } from 'react'
import type { Field, Shape } from './shape.ts'

/** What every kind of field gets. An undefined value is one that is not sent. */
export interface FieldProps<Kind extends Shape['kind'] = Shape['kind']> {
  id: string
  field: Field
  shape: Extract<Shape, { kind: Kind }>
  value: unknown
  onChange: (value: unknown) => void
  /** Draws the fields within this one. */
  FormField: (props: FormFieldProps) => ReactNode
}

export interface FormFieldProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** Lists with options of their own stand open. */
  isOpen?: boolean
}
