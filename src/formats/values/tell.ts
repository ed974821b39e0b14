import type { RenderKit } from '../format.ts'

/** Warns callers of a schema that was not filled completely. */
export function tellMissing(
  { warn }: Pick<RenderKit, 'warn'>,
  format: string,
  {
    missing,
    missingRequired,
    ignored,
  }: { missing: readonly string[]; missingRequired: readonly string[]; ignored: readonly string[] },
): void {
  const required = missingRequired.filter(
    (path) => missing.includes(path) || missing.some((other) => other.startsWith(`${path}.`)),
  )
  if (missing.length > 0) warn(`${format}: not found on the page, and left out: ${named(missing)}.`)
  if (required.length > 0) warn(`${format}: the schema requires ${named(required)}.`)
  if (ignored.length > 0) warn(`${format}: the schema is too deep or too wide; not read: ${named(ignored)}.`)
}

const mostNamed = 30

export function named(paths: readonly string[]): string {
  const more = paths.length - mostNamed
  return paths.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
