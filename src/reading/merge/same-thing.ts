import type { ObjectSpec } from '../schema/field-spec.ts'
import { grouped } from './decide.ts'
import { isObject, type Merging, type Said, type Stated } from './merging.ts'
import { namesThing, valueKey } from './same-value.ts'

/**
 * Which of the pages describe the same thing: those that call it by the name that has the most support, and those that give it no
 * name. Without this, the price of one product would stand beside the title of another.
 */
export function sameThing(work: Merging, spec: ObjectSpec, { own, others }: Said): Said {
  const asked = own.length > 0 ? own : others
  const name = namingField(spec, asked)
  if (name === undefined) return { own, others }
  const named = asked.map((stated) => ({ stated, name: nameOf(stated, name) }))
  const names = named.flatMap(({ stated, name: value }): Stated[] =>
    value === undefined
      ? []
      : [{ page: stated.page, value, path: stated.path === '' ? name : `${stated.path}.${name}` }],
  )
  const [chosen] = grouped(work, names)
  const key = valueKey(chosen?.value)
  const isSame = (value: unknown) => value === undefined || valueKey(value) === key
  const same = named.filter((one) => isSame(one.name)).map((one) => one.stated)
  const different = named.filter((one) => !isSame(one.name)).map((one) => one.stated)
  return own.length > 0 ? { own: same, others: [...different, ...others] } : { own: [], others: same }
}

/** The field that says best what the object is about, of those that some page fills. */
function namingField(spec: ObjectSpec, stated: readonly Stated[]): string | undefined {
  const fields = [...spec.fields]
    .filter(([, field]) => field.kind !== 'object' && field.kind !== 'list')
    .map(([name]) => name)
  for (const strength of [2, 1]) {
    const found = fields.find(
      (name) => namesThing(name) === strength && stated.some((one) => nameOf(one, name) !== undefined),
    )
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf({ value }: Stated, field: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, field)) return undefined
  return value[field] ?? undefined
}
