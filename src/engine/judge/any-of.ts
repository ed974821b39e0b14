/** One pattern for all of these, so that a text is walked once. */
export function anyOf(flags: string, patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
