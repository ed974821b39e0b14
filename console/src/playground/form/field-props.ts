import type { ReactNode } from 'react'
import type { Field, Shape } from './shape.ts'

/** Props of all field components. An undefined value is not sent. */
export interface FieldProps<Kind extends Shape['kind'] = Shape['kind']> {
  id: string
  field: Field
  shape: Extract<Shape, { kind: Kind }>
  value: unknown
  onChange: (value: unknown) => void
  /** Renders nested fields. */
  FormField: (props: FormFieldProps) => ReactNode
}

export interface FormFieldProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** True if a list of choices shows the descriptions of its choices. */
  isOpen?: boolean
}
