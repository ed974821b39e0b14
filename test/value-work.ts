import type { ValueWork } from '../src/extraction/formats/format.ts'
import { ground } from '../src/extraction/grounding/ground.ts'
import { readSchema } from '../src/extraction/schema/read-schema.ts'

/** Runs the work of the service's threads in the thread of the test. */
export const inlineValueWork: ValueWork = {
  readSchema: async (schema) => readSchema(schema),
  ground: async (claims) => ground(claims),
}
