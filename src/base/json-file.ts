import { readFileSync } from 'node:fs'
import { once } from './once.ts'

/**
 * Returns a function that reads a JSON file of `src/` on its first call, so that a start does not pay for data it may not need. The
 * shape is not checked here: `src/data-files.test.ts` has a schema for each file.
 */
export function jsonFile<Data>(url: URL): () => Data {
  return once(() => JSON.parse(readFileSync(url, 'utf8')) as Data)
}
