export interface Row {
  what: string
  state: 'supported' | 'ignored with a warning' | 'rejected'
  /** File of test/e2e without its suffix, and part of the title of the test that shows the behaviour. */
  file: string
  test: string
  note?: string
}

export const on = (
  file: string,
  rows: [what: string, state: Row['state'], test: string, note?: string][],
): Row[] => rows.map(([what, state, test, note]) => ({ what, state, file, test, ...(note ? { note } : {}) }))
