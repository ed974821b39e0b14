import type { ObjectWish, Wish } from '../schema/wish.ts'

/** The part of a wish that was not found; undefined where everything was. */
export function onlyMissing(wish: ObjectWish, missing: ReadonlySet<string>, at = ''): ObjectWish | undefined {
  const fields = new Map<string, Wish>()
  for (const [name, field] of wish.fields) {
    const path = at === '' ? name : `${at}.${name}`
    const kept =
      field.kind === 'object' ? onlyMissing(field, missing, path) : missing.has(path) ? field : undefined
    if (kept) fields.set(name, kept)
  }
  return fields.size === 0 ? undefined : { ...wish, fields }
}
