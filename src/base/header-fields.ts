import { headerRecord } from './bounded.ts'

interface HeaderRules {
  /** Names that only the service may set. */
  reserved: RegExp
  /** Characters that a value must not contain, with the error text. */
  badValue: RegExp
  badValueSays: string
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Headers of a caller: valid HTTP names and values, and none that the service sets itself. */
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
