import type { ReactNode } from 'react'
import type { Field } from './shape.ts'

interface LabelledProps {
  id: string
  field: Field
  isSet: boolean
  children: ReactNode
}

/** Form field with its label and its description. */
export function Labelled({ id, field, isSet, children }: LabelledProps) {
  return (
    <div className={isSet ? 'field set' : 'field'}>
      <label htmlFor={id}>
        <FieldName field={field} />
      </label>
      {children}
      <Description id={id} field={field} />
    </div>
  )
}

export function FieldName({ field }: { field: Field }) {
  return (
    <>
      <code>{field.name}</code>
      {field.isRequired && <span className="quiet"> required</span>}
    </>
  )
}

export function Description({ id, field }: { id: string; field: Field }) {
  if (field.description === undefined) return null
  return (
    <p id={`${id}-about`} className="about">
      {field.description}
    </p>
  )
}

/** Returns `aria-describedby` with the id of the description, or an empty object if there is no description. */
export function describedBy(id: string, field: Field) {
  return field.description === undefined ? {} : { 'aria-describedby': `${id}-about` }
}
