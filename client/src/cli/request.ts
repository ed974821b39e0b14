import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Body, Option, Values } from './command.ts'
import { UsageError } from './usage-error.ts'

/**
 * Builds the body from `--options`, flags and `--option`, where later values replace earlier ones. The service
 * validates them.
 */
export function requestBody(options: readonly Option[], values: Values): Body {
  const body: Body = {}
  const file = values.texts.get('options')
  if (file !== undefined) Object.assign(body, readJsonObject(file))
  for (const option of options) {
    if (option.field === undefined) continue
    const value = findValue(option, values)
    if (value !== undefined) setField(body, option.field, value)
  }
  for (const assignment of values.lists.get('option') ?? []) assignOption(body, assignment)
  return body
}

/** Sets the field `a.b` of a request. Names come from the command line, so no name may reach a prototype. */
export function setField(body: Body, field: string, value: unknown): void {
  const names = field.split('.')
  const last = names.pop() ?? ''
  let target = body
  for (const name of names) {
    const child = Object.hasOwn(target, name) ? target[name] : undefined
    if (isObject(child)) target = child
    else {
      const created: Body = {}
      defineField(target, name, created)
      target = created
    }
  }
  defineField(target, last, value)
}

function parseJson(json: string, source: string): unknown {
  try {
    return JSON.parse(json)
  } catch (thrown) {
    throw new UsageError(`${source} is not JSON: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** Parses the value of an option: JSON text, or the path of a JSON file. */
export function jsonOrFile(value: string, source: string): unknown {
  return /^\s*[[{]/.test(value) ? parseJson(value, source) : parseJson(readText(value, source), value)
}

/** Reads a file, or standard input if the path is `-`. */
export async function readInput(path: string, source: string): Promise<string> {
  return path === '-' ? text(process.stdin) : readText(path, source)
}

function readText(path: string, source: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new UsageError(
      `${source}: ${path} cannot be read (${thrown instanceof Error && 'code' in thrown ? thrown.code : thrown}).`,
    )
  }
}

function findValue(option: Option, { flags, disabledFlags, texts, numbers, lists }: Values): unknown {
  if (option.kind === 'flag')
    return flags.has(option.name) ? true : disabledFlags.has(option.name) ? false : undefined
  if (option.kind === 'number') return numbers.get(option.name)
  if (option.kind === 'list') return lists.get(option.name)
  return texts.get(option.name)
}

function readJsonObject(file: string): Body {
  const value = parseJson(readText(file, '--options'), file)
  if (!isObject(value)) throw new UsageError(`--options: ${file} holds no JSON object.`)
  return value
}

function assignOption(body: Body, assignment: string): void {
  const separator = assignment.indexOf('=')
  if (separator < 1)
    throw new UsageError(`--option takes NAME=VALUE, for example --option limit=5, not "${assignment}".`)
  setField(body, assignment.slice(0, separator), jsonOrText(assignment.slice(separator + 1)))
}

/**
 * Parses JSON or plain text: `--option country=DE`. A value that starts with a brace, bracket or quote must be valid
 * JSON.
 */
function jsonOrText(value: string): unknown {
  if (/^\s*[[{"]/.test(value)) return parseJson(value, `--option ${value}`)
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function defineField(target: Body, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}
