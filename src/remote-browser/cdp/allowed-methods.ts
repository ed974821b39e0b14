import { jsonFile } from '../../base/json-file.ts'
import { once } from '../../base/once.ts'

/** The names of methods by domain, separated by spaces. */
export type MethodNames = Record<string, string>

const byDomain = jsonFile<MethodNames>(new URL('./allowed-methods.json', import.meta.url))

/**
 * The methods that guests may call: those that only affect the pages of their own session. Methods that affect files,
 * ports, processes or the browser's switches are excluded, and so are new methods of later Chromium versions.
 */
export const allowedMethods = once(
  (): ReadonlySet<string> =>
    new Set(
      Object.entries(byDomain()).flatMap(([domain, names]) =>
        names.split(' ').map((name) => `${domain}.${name}`),
      ),
    ),
)
