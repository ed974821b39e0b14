/** The entries that have something in them: a key without evidence is left out. */
export function withEvidence<Given extends object>(given: Given): Evident<Given> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && !isEmpty(value))
  // What is left of the keys is exactly those with a value, which is what the type says.
  return Object.fromEntries(entries) as Evident<Given>
}

type Evident<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
