import { Button } from '../../ui/button.tsx'
import { isObject } from './deep-equal.ts'
import type { FieldProps } from './field-props.ts'
import { GroupFields } from './group-fields.tsx'
import { Description, FieldName } from './labelled.tsx'
import type { Variant } from './shape.ts'

/** Set of choices such as formats, with the options of the selected choices. */
export function MultiSelectField({
  id,
  field,
  shape,
  value,
  onChange,
  isOpen,
  FormField,
}: FieldProps<'multiSelect'> & { isOpen: boolean }) {
  const defaultEntries = Array.isArray(field.default) ? field.default : []
  const entries: unknown[] = Array.isArray(value) ? value : defaultEntries
  const toggle = (variant: Variant, isSelected: boolean) => {
    const otherEntries = entries.filter((entry) => getType(entry) !== variant.type)
    const nextEntries = isSelected ? [...otherEntries, toEntry(variant, {})] : otherEntries
    onChange(nextEntries.length === 0 && !shape.canBeEmpty ? undefined : nextEntries)
  }
  const change = (variant: Variant, options: Record<string, unknown>) =>
    onChange(entries.map((entry) => (getType(entry) === variant.type ? toEntry(variant, options) : entry)))
  const variantsWithOptions = shape.variants.filter(
    (variant) => variant.fields.length > 0 && entries.some((entry) => getType(entry) === variant.type),
  )
  return (
    <fieldset className={value === undefined ? 'field' : 'field set'}>
      <legend>
        <FieldName field={field} />
      </legend>
      <Description id={id} field={field} />
      <div className="ticks">
        {shape.variants.map((variant) => (
          <Choice
            key={variant.type}
            variant={variant}
            isChosen={entries.some((entry) => getType(entry) === variant.type)}
            onChange={(isWanted) => toggle(variant, isWanted)}
          />
        ))}
      </div>
      <DefaultHint value={value} isKnown={field.default !== undefined} onReset={() => onChange(undefined)} />
      {isOpen && <Descriptions variants={shape.variants} />}
      {variantsWithOptions.map((variant) => (
        <fieldset className="options-of" key={variant.type}>
          <legend>{variant.type}</legend>
          {variant.description !== undefined && <p className="about">{variant.description}</p>}
          <GroupFields
            FormField={FormField}
            fields={variant.fields}
            value={entries.find((entry) => getType(entry) === variant.type)}
            onChange={(options) => change(variant, options)}
          />
        </fieldset>
      ))}
    </fieldset>
  )
}

/** Shows whether an empty list is sent or the list is omitted, because the service treats them differently. */
function DefaultHint({ value, isKnown, onReset }: { value: unknown; isKnown: boolean; onReset: () => void }) {
  const isEmpty = Array.isArray(value) && value.length === 0
  if (!isEmpty && (isKnown || value !== undefined)) return null
  return (
    <p className="about default">
      {isEmpty ? 'An empty list is sent.' : 'Server default'}
      {isEmpty && <Button onClick={onReset}>Use server default</Button>}
    </p>
  )
}

interface ChoiceProps {
  variant: Variant
  isChosen: boolean
  onChange: (isWanted: boolean) => void
}

function Choice({ variant, isChosen, onChange }: ChoiceProps) {
  return (
    <label title={variant.description}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      {variant.type}
    </label>
  )
}

function Descriptions({ variants }: { variants: Variant[] }) {
  if (variants.every(({ description }) => description === undefined)) return null
  return (
    <details className="meanings">
      <summary>Description of each choice</summary>
      <dl>
        {variants.map(({ type, description }) => (
          <div key={type}>
            <dt>{type}</dt>
            <dd>{description ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function getType(entry: unknown): unknown {
  return isObject(entry) ? entry.type : entry
}

/** Returns the type alone if it has no options and the schema allows the plain string. */
function toEntry({ type, isPlain }: Variant, { type: _, ...options }: Record<string, unknown>): unknown {
  return isPlain && Object.keys(options).length === 0 ? type : { type, ...options }
}
