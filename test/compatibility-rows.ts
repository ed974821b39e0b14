export interface Row {
  what: string
  state: 'acts' | 'warns' | 'refused'
  /** A file of test/e2e and the beginning of the name of the test that shows it. */
  file: string
  test: string
  note?: string
}

export const on = (
  file: string,
  rows: [what: string, state: Row['state'], test: string, note?: string][],
): Row[] => rows.map(([what, state, test, note]) => ({ what, state, file, test, ...(note ? { note } : {}) }))
