import type { MaybePromise } from './functions.ts'
import { parseForeignJson } from './json/json.ts'
import { type JsonSchema, schemaCheck } from './json/schema-check.ts'
import { strictSchema } from './json/strict-schema.ts'

/** An answer of a language model that has to be one JSON value of a schema. */
export interface AnswerText {
  text: string
  schema: JsonSchema
  /** True if the server held the answer to the strict form of the schema. */
  isStrict: boolean
}

export type CheckedReply =
  | { ok: true; json: unknown }
  /** `words` is the text itself, if the schema allows a plain text. */
  | { ok: false; fault: string; words?: string }

/** Checks an answer on behalf of a team, in a worker thread if it may be expensive. */
export type CheckAnswer = (
  answer: AnswerText,
  who: { team: string },
  signal: AbortSignal,
) => MaybePromise<CheckedReply>

/** Checks an answer where it is called. Compiling the schema of a caller takes up to a second, so the service does it in a thread. */
export function checkAnswerText({ text, schema, isStrict }: AnswerText): CheckedReply {
  const check = schemaCheck(schema)
  const value = readJson(text)
  if (value === undefined) {
    const words = text.trim()
    const isAnswer = words !== '' && check(words) === undefined
    return { ok: false, fault: 'Your answer was not one JSON value.', ...(isAnswer ? { words } : {}) }
  }
  const json = isStrict ? restored(value.json, schema) : value.json
  const faults = check(json)
  return faults === undefined
    ? { ok: true, json }
    : { ok: false, fault: `Your answer does not fit the schema: ${faults}.` }
}

/** Undoes what the strict form of the schema made the model write. */
function restored(json: unknown, schema: JsonSchema): unknown {
  return strictSchema(schema)?.restore(json) ?? json
}

/** Models wrap JSON in Markdown fences and in text even when told not to. */
function readJson(text: string): { json: unknown } | undefined {
  for (const part of [text, insideFence(text), between(text, '{', '}'), between(text, '[', ']')]) {
    try {
      if (part !== undefined) return { json: parseForeignJson(part) }
    } catch {
      // The next part may be one.
    }
  }
  return undefined
}

function insideFence(text: string): string | undefined {
  const [, fenced] = text.split(/^[ \t]*```.*$/m, 2)
  return fenced
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  return start === -1 ? undefined : text.slice(start, text.lastIndexOf(close) + 1)
}
