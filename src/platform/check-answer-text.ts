import type { MaybePromise } from './functions.ts'
import { parseForeignJson } from './json/json.ts'
import { getSchemaCheck } from './json/schema-check.ts'
import { strictSchema } from './json/strict-schema.ts'
import type { JsonSchema } from './ports/language-model.ts'

export interface AnswerText {
  text: string
  schema: JsonSchema
  isStrict: boolean
}

export type CheckedReply =
  | { ok: true; json: unknown }
  /** `plainText` is the answer as text, if the schema accepts a string. */
  | { ok: false; fault: string; plainText?: string }

export type CheckAnswer = (
  answer: AnswerText,
  owner: { team: string },
  signal: AbortSignal,
) => MaybePromise<CheckedReply>

/** Compiling the schema of a caller takes up to a second, so the service runs this in a worker thread. */
export function checkAnswerText({ text, schema, isStrict }: AnswerText): CheckedReply {
  const check = getSchemaCheck(schema)
  const value = readJson(text)
  if (value === undefined) {
    const plainText = text.trim()
    const isAnswer = plainText !== '' && check(plainText) === undefined
    return { ok: false, fault: 'Your answer was not one JSON value.', ...(isAnswer ? { plainText } : {}) }
  }
  const json = isStrict ? (strictSchema(schema)?.restore(value.json) ?? value.json) : value.json
  const faults = check(json)
  return faults === undefined
    ? { ok: true, json }
    : { ok: false, fault: `Your answer does not fit the schema: ${faults}.` }
}

/** Models wrap JSON in Markdown fences and in text, even if the prompt forbids that. */
function readJson(text: string): { json: unknown } | undefined {
  for (const part of [
    text,
    text.split(/^[ \t]*```.*$/m, 2)[1],
    textBetween(text, '{', '}'),
    textBetween(text, '[', ']'),
  ]) {
    try {
      if (part !== undefined) return { json: parseForeignJson(part) }
    } catch {
      // The next part may be valid JSON.
    }
  }
  return undefined
}

function textBetween(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  return start === -1 ? undefined : text.slice(start, text.lastIndexOf(close) + 1)
}
