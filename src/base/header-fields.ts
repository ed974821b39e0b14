import { headerRecord } from './bounded.ts'

interface HeaderRules {
  /** Names that are the service's own to set. */
  reserved: RegExp
  /** What a value may not hold, and how that is said. */
  badValue: RegExp
  badValueSays: string
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Headers that a caller wants to be sent: names and values that HTTP carries, and none that the service sets itself. */
export function headerFields({ reserved, badValue, badValueSays }: HeaderRules) {
  return headerRecord().superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const problem = !token.test(name)
        ? 'is not a header name'
        : reserved.test(name)
          ? 'is set by the service itself'
          : badValue.test(value)
            ? badValueSays
            : undefined
      if (problem) context.addIssue({ code: 'custom', path: [name], message: `Header "${name}" ${problem}` })
    }
  })
}
