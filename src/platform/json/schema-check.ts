import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { AppError } from '../errors.ts'
import type { JsonSchema } from '../ports/language-model.ts'

export type SchemaCheck = (value: unknown) => string | undefined

/** Schemas of tools exist as long as the process, schemas of callers only as long as their call. */
const checks = new WeakMap<JsonSchema, SchemaCheck>()

export function getSchemaCheck(schema: JsonSchema): SchemaCheck {
  const check = checks.get(schema) ?? compile(schema)
  checks.set(schema, check)
  return check
}

function compile(schema: JsonSchema): SchemaCheck {
  // The dialect is removed, so all schemas are read as the newest one. They use the common subset.
  const { $schema: _, ...rules } = schema
  // Patterns come from callers and run on page text, so they must run in linear time.
  const regExp = Object.assign(createLinearRegExp, { code: 'linear' })
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    allErrors: true,
    code: { regExp },
  })
  const validate = compileRules(ajv, rules)
  return (value) => {
    if (validate(value)) return undefined
    const faults = (validate.errors ?? []).slice(0, 10)
    return faults.map((fault) => `${fault.instancePath || 'the value'} ${fault.message}`).join('; ')
  }
}

function compileRules(ajv: Ajv2020, rules: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(rules)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    throw new AppError('BAD_REQUEST', { details: [{ path: ['schema'], message }] }, { cause: thrown })
  }
}

function createLinearRegExp(pattern: string) {
  const regExp = RE2JS.compile(pattern)
  // Ajv identifies patterns by their text.
  return { test: (text: string) => regExp.matcher(text).find(), toString: () => pattern }
}
