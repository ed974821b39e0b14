import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  name: string
  hint?: ReactNode
}

/** Labelled input with an optional hint. */
export function Field({ name, hint, ...input }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <input {...input} id={id} aria-describedby={hint === undefined ? undefined : hintId} />
      {hint !== undefined && (
        <span id={hintId} className="quiet">
          {hint}
        </span>
      )}
    </div>
  )
}

export function Checkbox({
  name,
  isOn,
  onChange,
}: {
  name: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{name}</span>
    </label>
  )
}
