type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value: responses and records leave the others out. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  // What is left has no undefined.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}

export const isoOrNull = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** One more row was read than a page shows; the cursor is the id of the last one that is shown, if there are others. */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit)
  return { shown, cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}
