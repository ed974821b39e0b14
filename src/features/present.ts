type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Returns the fields that are not undefined, for responses and stored records. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  // The filter removes all undefined values.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}

export const isoOrNull = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** The query reads one extra row; the cursor is the id of the last returned row if more rows exist. */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit)
  return { shown, cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}
