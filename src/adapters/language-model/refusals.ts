import { createHash } from 'node:crypto'
import type { JsonSchema } from '../../ports/language-model.ts'
import type { SchemaForm } from './protocols/protocol.ts'

/** What a server is asked for beyond the words of the conversation. */
export interface AnswerConstraints {
  schema: SchemaForm | undefined
  forcesCall: boolean
}

/** Remembers, while the process lives, what a server has refused, so that it is not asked for it again. */
export interface Refusals {
  /** What to ask for, most first; the last entry has nothing that a server could refuse. */
  constraintsToTry(asked: {
    schema: JsonSchema | undefined
    hasStrictForm: boolean
    mustCall: boolean
  }): AnswerConstraints[]
  /** A request was answered after others were refused. */
  learn(granted: AnswerConstraints, refused: AnswerConstraints[], schema: JsonSchema | undefined): void
}

/** A server that has refused this many schemas and taken none takes none. */
const enough = 3
const mostRemembered = 1000

export function createRefusals(): Refusals {
  const forms = { strict: formMemory(), loose: formMemory() }
  let mayForce = true
  return {
    constraintsToTry({ schema, hasStrictForm, mustCall }) {
      const plain: AnswerConstraints = { schema: undefined, forcesCall: false }
      if (schema === undefined)
        return mustCall && mayForce ? [{ ...plain, forcesCall: true }, plain] : [plain]
      const possible: SchemaForm[] = hasStrictForm ? ['strict', 'loose'] : ['loose']
      const left = possible.filter((form) => forms[form].mayTake(schema))
      return [...left.map((form): AnswerConstraints => ({ schema: form, forcesCall: false })), plain]
    },
    learn(granted, refused, schema) {
      if (granted.schema) forms[granted.schema].took()
      for (const constraints of refused) {
        if (constraints.forcesCall) mayForce = false
        if (constraints.schema && schema) forms[constraints.schema].refused(schema)
      }
    },
  }
}

/** A refusal may be of this very schema, or of schemas as such. */
function formMemory() {
  const refused = new Set<string>()
  let hasTaken = false
  return {
    mayTake: (schema: JsonSchema) => (hasTaken || refused.size < enough) && !refused.has(digest(schema)),
    took() {
      hasTaken = true
    },
    refused(schema: JsonSchema) {
      if (refused.size >= mostRemembered) refused.clear()
      refused.add(digest(schema))
    },
  }
}

function digest(schema: JsonSchema): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64')
}
